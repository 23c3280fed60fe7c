import Peapod
import Testing

/// A trait that gives each test case a new pod as `Pod.current`.
///
/// Make one with ``Testing/Trait/pod`` or ``Testing/Trait/pod(sourceLocation:_:)``.
public struct PodTrait: TestTrait, SuiteTrait, TestScoping {
  let sourceLocation: SourceLocation
  let configure: @Sendable (Pod) async throws -> Void

  /// The value `true`: a suite applies this trait to each of its tests, so every test case has its own pod.
  public var isRecursive: Bool { true }

  /// Runs one test case with its new pod.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await TestCaseContext.perform(for: test) { context in
      try await context.onFreshPod(configuredBy: configure, at: sourceLocation, performing: function)
    }
  }
}

extension Trait where Self == PodTrait {
  /// Gives each test case a new pod as `Pod.current`.
  ///
  /// ```swift
  /// @Test(.pod) func startsEmpty() {
  ///   #expect(!Pod.current.isCached(apiProvider))
  /// }
  /// ```
  public static var pod: Self {
    PodTrait(sourceLocation: #_sourceLocation, configure: { _ in })
  }

  /// Gives each test case a new pod as `Pod.current`, configured by a closure.
  ///
  /// A test case has one such pod, even if several suites around it have a `.pod` trait. The closures run from the outermost
  /// suite to the test, so an inner override replaces an outer override. Each argument of a parameterized test is a test case.
  /// The pod is shut down when the test function returns or throws, and asynchronous disposal closures are awaited. A task that
  /// the test leaves running continues with the same pod, which then has an empty cache and the same overrides.
  ///
  /// ```swift
  /// @Suite(.pod { $0.overrideProvider(apiProvider) { _ in APIMock() } })
  /// struct CheckoutTests {
  ///   @Test(.pod { $0.overrideProvider(clockProvider, withValue: .noon) }, .strict)
  ///   func paysAtNoon() async throws {
  ///     let checkout = Pod.current.resolve(checkoutProvider)
  ///     try await checkout.pay()
  ///   }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - sourceLocation: The place for issues about the overrides of this trait.
  ///   - configure: A closure that overrides providers of the pod. It may be asynchronous, isolated to an actor, and throw.
  ///     An error is an issue of the test case, whose function then does not run.
  /// - Returns: The trait.
  public static func pod(
    sourceLocation: SourceLocation = #_sourceLocation,
    _ configure: @escaping @Sendable (_ pod: Pod) async throws -> Void
  ) -> Self {
    PodTrait(sourceLocation: sourceLocation, configure: configure)
  }
}
