import Testing

/// A trait that records an issue for each mistake that makes a test with overrides prove less than it seems to.
///
/// Make one with ``Testing/Trait/strict`` or ``Testing/Trait/strict(about:)``.
public struct StrictTrait: TestTrait, SuiteTrait, TestScoping {
  let strictness: Strictness

  /// Whether a suite hands this trait down to its tests; it does.
  public var isRecursive: Bool { true }

  /// Runs one test case and checks its pods afterwards.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await TestCaseContext.perform(for: test) { context in
      context.require(strictness)
      try await function()
    }
  }
}

extension Trait where Self == StrictTrait {
  /// Records an issue for every kind of mistake in ``Strictness``.
  ///
  /// Watched are the pods that the traits ``Testing/Trait/pod(sourceLocation:_:)`` and
  /// ``Testing/Trait/overrides(of:sourceLocation:_:)`` set up for the test case, on the test and on the suites around
  /// it; their order in the list of traits is of no importance. Without any of these the test case gets a fresh
  /// `Pod.current`.
  ///
  /// ```swift
  /// @Suite(.pod { $0.overrideProvider(apiProvider) { _ in APIMock() } }, .strict)
  /// struct CheckoutTests {}
  /// ```
  ///
  /// An override that was never resolved is reported at the trait that made it, or at the test when its body did; a
  /// captive dependency and a leaked instance at the test, with the place of declaration in the text. A test case that
  /// throws is not asked what it left unresolved, and one that was cancelled is not asked anything.
  public static var strict: Self {
    StrictTrait(strictness: .all)
  }

  /// Records an issue for each of the given kinds of mistake.
  ///
  /// Kinds add up: those asked for on a test and on the suites around it are all checked.
  ///
  /// - Parameter strictness: The kinds of mistake.
  /// - Returns: The trait.
  public static func strict(about strictness: Strictness) -> Self {
    StrictTrait(strictness: strictness)
  }
}
