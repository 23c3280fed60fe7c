import Peapod
import Synchronization
import Testing

/// The shared state of the traits of one test case: its new pod and its checks.
///
/// The outermost trait makes the context and runs the checks of the new pod at the end. The inner traits add to it.
final class TestCaseContext: Sendable {
  @TaskLocal private static var current: TestCaseContext?

  private struct State {
    var strictness: Strictness = []
    /// The new pod, until the test case ends.
    var freshPod: Pod?
  }

  private let test: Test
  private let freshWatch = PodWatch()
  private let state: Mutex<State>

  private init(test: Test) {
    self.test = test
    state = Mutex(State(freshPod: Pod(test.name, observers: [freshWatch])))
  }

  /// Runs the body of a trait in the context of its test case, and makes the context for the outermost trait.
  static func perform(for test: Test, _ body: (TestCaseContext) async throws -> Void) async throws {
    if let current {
      return try await body(current)
    }
    let context = TestCaseContext(test: test)
    let (outcome, findings) = await $current.withValue(context) {
      await context.onFreshPodUntilItsEnd { try await body(context) }
    }
    await context.record(findings)
    try outcome.get()
  }

  /// Adds checks.
  func require(_ strictness: Strictness) {
    state.withLock { $0.strictness.formUnion(strictness) }
  }
}

// MARK: - Running

extension TestCaseContext {
  /// Configures the new pod and runs a test function with it.
  func onFreshPod(
    configuredBy configure: (Pod) async throws -> Void, at sourceLocation: SourceLocation,
    performing function: () async throws -> Void
  ) async throws {
    guard let pod = state.withLock({ $0.freshPod }) else { return try await function() }
    try await freshWatch.asCurrent(on: pod) {
      try await PodWatch.configuring(at: sourceLocation) { try await configure(pod) }
      try await function()
    }
  }

  /// Runs a test function in an override scope of a pod, and checks the scope at its end.
  func onOverrides(
    of pod: Pod, configuredBy configure: (Pod) async throws -> Void, at sourceLocation: SourceLocation,
    performing function: () async throws -> Void
  ) async throws {
    let watch = PodWatch()
    let (outcome, findings) = await pod.withOverrides({ $0.addObserver(watch) }) {
      await onWatchedPod(pod, watch: watch) {
        try await PodWatch.configuring(at: sourceLocation) { try await configure(pod) }
        try await function()
      }
    }
    await record(findings)
    try outcome.get()
  }

  private func onFreshPodUntilItsEnd(
    _ body: () async throws -> Void
  ) async -> (Result<Void, any Error>, PodFindings) {
    guard let pod = state.withLock({ $0.freshPod }) else { preconditionFailure("the test case has ended already") }
    let (outcome, findings) = await onWatchedPod(pod, watch: freshWatch, body)
    state.withLock { $0.freshPod = nil }
    await pod.shutdown()
    return (outcome, findings)
  }

  private func onWatchedPod(
    _ pod: Pod, watch: PodWatch, _ body: () async throws -> Void
  ) async -> (Result<Void, any Error>, PodFindings) {
    let outcome = await Result.catching { try await watch.asCurrent(on: pod, body) }
    let findings = watch.findings(
      in: pod, strictness: state.withLock { $0.strictness }, isComplete: outcome.isSuccess,
      testLocation: test.sourceLocation)
    return (outcome, findings)
  }
}

// MARK: - Checking

extension TestCaseContext {
  /// Records the issues of a pod, and the instances that outlive the pod.
  private func record(_ findings: PodFindings) async {
    // A canceled test case did not end, so its instances and overrides say nothing about the code under test.
    guard !Task.isCancelled else { return }
    for finding in findings.issues {
      Issue.record(Comment(rawValue: finding.text), sourceLocation: finding.sourceLocation)
    }
    for instance in await findings.instances.lastingSurvivors() {
      Issue.record(Comment(rawValue: IssueText.leakedInstance(instance)), sourceLocation: test.sourceLocation)
    }
  }
}
