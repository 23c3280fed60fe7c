/// One way to make the instances of a provider: the declaration itself, or an override of it.
class Definition: @unchecked Sendable {
  // Safe: fields are constants, or guarded by the engine's lock where they say so.

  /// How long what this makes is kept.
  func scope(of declaration: Declaration) -> ScopeIdentity { fatalError(Failure.abstract()) }

  /// This definition as an override; `nil` for a declaration.
  var override: Override? { nil }

  /// Builds a value of a synchronous kind and keeps it in memory of its own.
  func store(_ declaration: Declaration, in pod: Pod) throws -> StoredValue { fatalError(Failure.abstract()) }

  /// Builds a value of a synchronous kind in the caller's uninitialised memory.
  func make(_ declaration: Declaration, in pod: Pod, at memory: UnsafeMutableRawPointer) throws {
    fatalError(Failure.abstract())
  }

  /// Builds a value of the asynchronous kind and keeps it in memory of its own.
  func storeAsync(_ declaration: Declaration, in pod: Pod) async throws -> StoredValue {
    fatalError(Failure.abstract())
  }
}
