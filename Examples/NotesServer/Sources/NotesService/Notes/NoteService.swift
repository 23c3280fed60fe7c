import Logging

/// Reads and writes notes on behalf of one request.
public struct NoteService: Sendable {
  private let notes: UserNotes
  private let clock: WallClock
  private let random: RandomSource
  private let logger: Logger

  /// Makes the service.
  ///
  /// - Parameters:
  ///   - notes: Those of the user who asks.
  ///   - clock: Tells the time.
  ///   - random: Makes identifiers.
  ///   - logger: The request's.
  public init(notes: UserNotes, clock: WallClock, random: RandomSource, logger: Logger) {
    self.notes = notes
    self.clock = clock
    self.random = random
    self.logger = logger
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
    let now = clock.now
    let note = Note(
      id: random.identifier(), title: draft.title, text: draft.text, createdAt: now, updatedAt: now, version: 1)
    try await notes.insert(note)
    logger.debug("note created", metadata: ["note": "\(note.id)"])
    return note
  }

  func update(_ id: String, to draft: NoteDraft, if condition: EntityTagCondition?) async throws -> Note {
    guard let condition else { throw ServiceError.versionMissing }
    try draft.validate()
    let note = try await notes.update(id, to: draft, at: clock.now, if: condition)
    logger.debug("note updated", metadata: ["note": "\(id)", "version": "\(note.version)"])
    return note
  }

  func delete(_ id: String, if condition: EntityTagCondition?) async throws {
    try await notes.delete(id, if: condition ?? .any)
    logger.debug("note deleted", metadata: ["note": "\(id)"])
  }
}
