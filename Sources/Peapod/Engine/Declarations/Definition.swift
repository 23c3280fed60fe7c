/// One way to build the instances of a provider: the declaration itself, or an override of it.
@usableFromInline
class Definition: @unchecked Sendable {
  // Safe: there are no fields; each subclass explains its own fields.

  /// Builds a value of a synchronous kind.
  func store(_ declaration: Declaration, in pod: Pod) throws -> StoredValue { fatalError(Failure.abstract()) }

  /// Builds a value of the asynchronous kind.
  func storeAsync(_ declaration: Declaration, in pod: Pod) async throws -> StoredValue {
    fatalError(Failure.abstract())
  }
}
