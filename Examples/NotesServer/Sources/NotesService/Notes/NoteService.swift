/// Reads and writes notes on behalf of one request.
public struct NoteService: Sendable {
  private let notes: UserNotes

  /// Makes the service.
  ///
  /// - Parameter notes: Those of the user who asks.
  public init(notes: UserNotes) {
    self.notes = notes
  }

  func list(_ query: NoteQuery) async throws -> NotePage {
    try await notes.notes(query)
  }

  func find(_ id: String) async throws -> Note {
    guard let note = try await notes.note(id) else { throw ServiceError.noSuchNote }
    return note
  }

  func create(_ draft: NoteDraft) async throws -> Note {
    try draft.validate()
    return try await notes.insert(draft)
  }

  func update(_ id: String, to draft: NoteDraft, if condition: EntityTagCondition?) async throws -> Note {
    guard let condition else { throw ServiceError.versionMissing }
    try draft.validate()
    return try await notes.update(id, to: draft, if: condition)
  }

  func delete(_ id: String, if condition: EntityTagCondition?) async throws {
    try await notes.delete(id, if: condition ?? .any)
  }
}
