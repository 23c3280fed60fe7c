import Testing

/// A trait that runs closures around each test case, outside the traits that come after it.
struct SurroundingTrait: TestTrait, SuiteTrait, TestScoping {
  let before: @Sendable () async throws -> Void
  let after: @Sendable () async throws -> Void

  var isRecursive: Bool { true }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await before()
    try await function()
    try await after()
  }
}

extension Trait where Self == SurroundingTrait {
  static func before(_ body: @escaping @Sendable () async throws -> Void) -> Self {
    SurroundingTrait(before: body, after: {})
  }

  static func after(_ body: @escaping @Sendable () async throws -> Void) -> Self {
    SurroundingTrait(before: {}, after: body)
  }
}
