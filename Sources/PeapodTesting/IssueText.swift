import Peapod

/// The messages of the issues that this library records.
enum IssueText {
  static func unresolvedOverride(_ provider: ProviderInfo) -> String {
    """
    The override of \(provider.labelAndPlace) was never resolved: what was tested did not ask this pod for it. Remove \
    the override, or resolve what uses it from this pod; one that only some tests of a suite need may be marked with \
    `$0.allowUnresolvedOverride(…)`.
    """
  }

  static func notOverridden(_ description: String) -> String {
    "\(description) must be overridden in this test, and is not. Override it in `.pod` or `.overrides(of:)`."
  }

  static func builtWithoutOverride(_ description: String) -> String {
    """
    \(description) must be overridden in this test, and was built by its own builder. Override it in `.pod` or \
    `.overrides(of:)`, before anything resolves it.
    """
  }

  static func captiveDependency(dependent: ProviderInfo, dependency: ProviderInfo) -> String {
    """
    \(dependent.labelAndPlace), kept in \(dependent.scope), holds a captive dependency: \(dependency.labelAndPlace), \
    kept in \(dependency.scope), can be cleared under it, and it would go on with the old instance. Give it a scope \
    that is cleared with its dependency, or let it ask through `factory` at each use.
    """
  }

  static func leakedInstance(_ instance: TrackedInstance) -> String {
    """
    \(instance.description) is still alive after the pod of the test is gone. Look for a retain cycle, a stored \
    closure or a task that still runs; an object that is meant to outlive its pod is given with `withValue:`, or \
    marked with `$0.allowOutliving(…)`.
    """
  }

  static func outlivesScope(_ instance: TrackedInstance, scope: String) -> String {
    """
    \(instance.description) outlives \(scope), which was cleared. Look for a retain cycle, a stored closure, a task \
    that still runs, or something kept longer that holds it.
    """
  }

  static func nothingReleased(scope: String, pod: String) -> String {
    "Clearing \(scope) let go of no class instance of pod \"\(pod)\", so this expectation has checked nothing."
  }

  static func outsideTrait(_ function: String) -> String {
    """
    `\(function)` works on the pod of a test trait: call it in the closure of `.pod` or `.overrides(of:)`, or in a test \
    with one of them. Nothing was noted here.
    """
  }

  static func missingGraph(path: String, graph: String) -> String {
    """
    There is no graph at \(path) to compare with. Run the test with PEAPOD_RECORD_GRAPHS=1 to write this one:
    \(graph)
    """
  }

  static func differentGraph(name: String, difference: String) -> String {
    """
    The graph differs from "\(name)" ("-" is expected, "+" was found):
    \(difference)
    Run the test with PEAPOD_RECORD_GRAPHS=1 to accept it.
    """
  }

  static func recordedGraph(path: String) -> String {
    "Wrote the graph to \(path), without comparing, because PEAPOD_RECORD_GRAPHS is set."
  }

  static func fileFailure(_ failure: GraphFile.Failure) -> String {
    "The graph at \(failure.path) can not be \(failure.action): \(failure.reason)."
  }
}
