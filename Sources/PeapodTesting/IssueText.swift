import Peapod

/// The messages of the issues that this library records.
enum IssueText {
  static func unresolvedOverride(_ provider: ProviderInfo) -> String {
    """
    The override of \(provider.labelAndPlace) was never resolved from this pod. Remove the override, or resolve the \
    provider or a dependent from this pod. Mark an override that only some tests of a suite need with \
    `$0.allowUnresolvedOverride(…)`.
    """
  }

  static func notOverridden(_ description: String) -> String {
    """
    \(description) must be overridden in this test, and is not. Override it in the trait, `.pod` or `.overrides(of:)`, of \
    the pod that requires it.
    """
  }

  static func builtWithoutOverride(_ description: String) -> String {
    """
    \(description) must be overridden in this test, and was built by its own builder. Override it in `.pod` or \
    `.overrides(of:)`, before the first resolve.
    """
  }

  static func captiveDependency(dependent: ProviderInfo, dependency: ProviderInfo) -> String {
    """
    \(dependent.labelAndPlace), cached in \(dependent.scope), has a captive dependency: \(dependency.labelAndPlace), \
    cached in \(dependency.scope), can be cleared earlier. Give the dependent a scope that is cleared with its \
    dependency, or let it resolve through `pod.factory` at each use.
    """
  }

  static func leakedInstance(_ instance: TrackedInstance) -> String {
    """
    \(instance.description) is still alive after the pod of the test was released. Look for a retain cycle, a stored \
    closure or a running task. Override an object that outlives its pod with `withValue:`, or mark its provider with \
    `$0.allowOutliving(…)`.
    """
  }

  static func outlivesScope(_ instance: TrackedInstance, scope: String) -> String {
    """
    \(instance.description) outlives \(scope), which was cleared. Look for a variable of the test, a retain cycle, a stored \
    closure, a running task, or a dependent that stays cached longer.
    """
  }

  static func nothingReleased(scope: String, pod: String) -> String {
    "The clear of \(scope) released no class instance of pod \"\(pod)\", so this expectation has checked nothing."
  }

  static func outsideTrait(_ function: String) -> String {
    """
    `\(function)` works on the pod of a test trait. Call it in the closure of `.pod` or `.overrides(of:)`, or in a test \
    with one of them. This call had no effect.
    """
  }

  static func missingGraph(path: String, graph: String) -> String {
    """
    There is no graph at \(path). Run the test with PEAPOD_RECORD_GRAPHS=1 to write this graph:
    \(graph)
    """
  }

  static func differentGraph(name: String, difference: String) -> String {
    """
    The graph differs from "\(name)" ("-" is expected and was not found, "+" was found, "~" differs):
    \(difference)
    Run the test with PEAPOD_RECORD_GRAPHS=1 to accept it.
    """
  }

  static func unreadableGraph(path: String, line: String) -> String {
    """
    The graph differs from the one at \(path), and this line is not part of a graph: "\(line)". Run the test with \
    PEAPOD_RECORD_GRAPHS=1 to write the file again.
    """
  }

  static func recordedGraph(path: String) -> String {
    "Wrote the graph to \(path) without comparing it, because PEAPOD_RECORD_GRAPHS is set."
  }

  static func fileFailure(_ failure: GraphFile.Failure) -> String {
    "The graph at \(failure.path) cannot be \(failure.action): \(failure.reason)."
  }
}
