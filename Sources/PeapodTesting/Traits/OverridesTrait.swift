import Peapod
import Testing

/// A trait that runs each test case in an override scope of a shared pod.
///
/// Make one with ``Testing/Trait/overrides(of:sourceLocation:_:)``.
public struct OverridesTrait: TestTrait, SuiteTrait, TestScoping {
  let pod: Pod
  let sourceLocation: SourceLocation
  let configure: @Sendable (Pod) async throws -> Void

  /// The value `true`: a suite applies this trait to each of its tests, so every test case has its own override scope.
  public var isRecursive: Bool { true }

  /// Runs one test case in its override scope.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await TestCaseContext.perform(for: test) { context in
      try await context.onOverrides(of: pod, configuredBy: configure, at: sourceLocation, performing: function)
    }
  }
}

extension Trait where Self == OverridesTrait {
  /// Runs each test case in an override scope of a pod, and makes that pod `Pod.current`.
  ///
  /// Use this trait for code that resolves from a global pod. Inside the test case, the pod acts as a new, empty pod that has
  /// its own overrides and the given overrides. The scope does not affect other test cases. The scopes of nested suites add up for
  /// one pod, and the innermost override takes effect. The innermost trait, this one or `.pod`, decides which pod is `Pod.current`.
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
  ///   - sourceLocation: The place for issues about the overrides of this trait.
  ///   - configure: A closure that overrides providers in the scope. It may be asynchronous, isolated to an actor, and
  ///     throw. An error is an issue of the test case, whose function then does not run.
  /// - Returns: The trait.
  public static func overrides(
    of pod: Pod,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ configure: @escaping @Sendable (_ pod: Pod) async throws -> Void = { _ in }
  ) -> Self {
    OverridesTrait(pod: pod, sourceLocation: sourceLocation, configure: configure)
  }
}
