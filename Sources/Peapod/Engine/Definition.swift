/// One way to make the instances of a provider: the declaration itself, or an override of it.
@usableFromInline
class Definition: @unchecked Sendable {
  // Safe: fields are constants, or guarded by the engine's lock where they say so.

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
