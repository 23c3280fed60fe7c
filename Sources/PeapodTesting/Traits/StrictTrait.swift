import Testing

/// A trait that records an issue for each unresolved override, captive dependency and leaked instance of a test.
///
/// Make one with ``Testing/Trait/strict`` or ``Testing/Trait/strict(about:)``.
public struct StrictTrait: TestTrait, SuiteTrait, TestScoping {
  let strictness: Strictness

  /// The value `true`: a suite applies this trait to each of its tests.
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
  /// Records an issue for each kind of mistake in ``Strictness``.
  ///
  /// The trait checks the pods of ``Testing/Trait/pod(sourceLocation:_:)`` and
  /// ``Testing/Trait/overrides(of:sourceLocation:_:)``, on the test and on its suites. The order of the traits does not
  /// matter. Without such a trait, the test case gets a new `Pod.current`.
  ///
  /// ```swift
  /// @Suite(.pod { $0.overrideProvider(apiProvider) { _ in APIMock() } }, .strict)
  /// struct CheckoutTests {}
  /// ```
  ///
  /// An unresolved override is reported at the trait that made it, or at the test if its function made it. A captive
  /// dependency or a leaked instance is reported at the test, with the place of the declaration in the message. The trait
  /// does not check unresolved overrides of a test case that throws, and checks nothing in a canceled test case.
  public static var strict: Self {
    StrictTrait(strictness: .all)
  }

  /// Records an issue for each of the given kinds of mistake.
  ///
  /// The kinds on a test and on its suites add up.
  ///
  /// - Parameter strictness: The kinds of mistake.
  /// - Returns: The trait.
  public static func strict(about strictness: Strictness) -> Self {
    StrictTrait(strictness: strictness)
  }
}
