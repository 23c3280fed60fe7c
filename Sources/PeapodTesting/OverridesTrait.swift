import Peapod
import Testing

/// A trait that runs each test case inside an isolated block of overrides on a pod that others use too.
///
/// Make one with ``Testing/Trait/overrides(of:sourceLocation:_:)``.
public struct OverridesTrait: TestTrait, SuiteTrait, TestScoping {
  let pod: Pod
  let sourceLocation: SourceLocation
  let configure: @Sendable (Pod) async throws -> Void

  /// Whether a suite hands this trait down to its tests; it does, so that every test case has a block of its own.
  public var isRecursive: Bool { true }

  /// Runs one test case inside its block of overrides.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await TestCaseContext.perform(for: test) { context in
      try await context.onOverrides(of: pod, configuredBy: configure, at: sourceLocation, performing: function)
    }
  }
}

extension Trait where Self == OverridesTrait {
  /// Runs each test case in a block of its own on a pod, as `withOverrides` does, and makes that pod `Pod.current`.
  ///
  /// Use it for code that resolves from one global pod. Inside the test case, the pod acts as a new and empty one with
  /// the overrides it has and those given here; other test cases, in parallel or not, see nothing of it. Blocks nest
  /// from the outermost suite inwards: an inner one has the overrides of the outer ones, and its own win.
  ///
  /// ```swift
  /// @Test(.overrides(of: appPod) { $0.overrideProvider(apiProvider) { _ in APIMock() } }, .strict)
  /// func signsIn() async throws {
  ///   try await signIn()  // resolves from appPod
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - pod: The pod that the code under test resolves from.
  ///   - sourceLocation: Where to record what is found wrong with the overrides that are made here.
  ///   - configure: Overrides providers for the block. It may be asynchronous, isolated to an actor, and throw; an error
  ///     is recorded as an issue of the test case, whose function then does not run.
  /// - Returns: The trait.
  public static func overrides(
    of pod: Pod,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ configure: @escaping @Sendable (_ pod: Pod) async throws -> Void
  ) -> Self {
    OverridesTrait(pod: pod, sourceLocation: sourceLocation, configure: configure)
  }
}
