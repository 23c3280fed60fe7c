import Peapod
import Testing

/// A trait that gives each test case a fresh pod as `Pod.current`.
///
/// Make one with ``Testing/Trait/pod`` or ``Testing/Trait/pod(sourceLocation:_:)``.
public struct PodTrait: TestTrait, SuiteTrait, TestScoping {
  let sourceLocation: SourceLocation
  let configure: @Sendable (Pod) async throws -> Void

  /// Whether a suite hands this trait down to its tests; it does, so that every test case has a pod of its own.
  public var isRecursive: Bool { true }

  /// Runs one test case with its fresh pod.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await TestCaseContext.perform(for: test) { context in
      try await context.onFreshPod(configuredBy: configure, at: sourceLocation, performing: function)
    }
  }
}

extension Trait where Self == PodTrait {
  /// Gives each test case a fresh pod as `Pod.current`.
  ///
  /// ```swift
  /// @Test(.pod) func startsEmpty() {
  ///   #expect(!Pod.current.isCached(apiProvider))
  /// }
  /// ```
  public static var pod: Self {
    PodTrait(sourceLocation: #_sourceLocation, configure: { _ in })
  }

  /// Gives each test case a fresh pod as `Pod.current`, configured by a closure.
  ///
  /// A test case has one such pod, whatever the number of `.pod` traits on it and on the suites around it: the closures
  /// run from the outermost suite inwards, so that an inner override replaces an outer one. Each argument of a
  /// parameterised test is a test case of its own. The pod is shut down when the test function returns or throws, and
  /// its asynchronous hooks are awaited. A task that the test leaves running goes on with the same pod, which starts
  /// afresh with the same overrides.
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
  ///   - sourceLocation: Where to record what is found wrong with the overrides that are made here.
  ///   - configure: Overrides providers of the pod. It may be asynchronous, isolated to an actor, and throw; an error is
  ///     recorded as an issue of the test case, whose function then does not run.
  /// - Returns: The trait.
  public static func pod(
    sourceLocation: SourceLocation = #_sourceLocation,
    _ configure: @escaping @Sendable (_ pod: Pod) async throws -> Void
  ) -> Self {
    PodTrait(sourceLocation: sourceLocation, configure: configure)
  }
}
