import GRDB

/// The notes of one user.
///
/// There is no way to ask for anybody else's.
public struct UserNotes: Sendable {
  private let repository: NoteRepository
  private let owner: User

  init(repository: NoteRepository, owner: User) {
    self.repository = repository
    self.owner = owner
  }

  // MARK: - Reading

  func note(_ id: String) async throws -> Note? {
    try await repository.database.access.read { [owner] in try Self.note(id, of: owner, in: $0) }
  }

  func notes(_ query: NoteQuery) async throws -> NotePage {
    try await repository.database.access.read { [owner] database in
      var sql = "SELECT \(Note.columns) FROM note"
      var conditions = " WHERE note.ownerID = ?"
      var arguments: StatementArguments = [owner.id]
      if let search = query.search {
        // Without a word in it, no note contains it.
        guard let pattern = FTS5Pattern(matchingAllPrefixesIn: search) else { return NotePage(notes: [], next: nil) }
        sql += " JOIN noteText ON noteText.rowid = note.number"
        conditions += " AND noteText MATCH ?"
        arguments += [pattern]
      }
      if let after = query.after {
        conditions += " AND (note.createdAt, note.id) < (?, ?)"
        arguments += [after.createdAt.milliseconds, after.id]
      }
      // One more than asked for tells whether there is another page.
      arguments += [query.pageSize + 1]
      let statement = try database.cachedStatement(
        sql: "\(sql)\(conditions) ORDER BY note.createdAt DESC, note.id DESC LIMIT ?")
      let found = try Row.fetchAll(statement, arguments: arguments).map(Note.init)
      let notes = Array(found.prefix(query.pageSize))
      return NotePage(notes: notes, next: found.count > notes.count ? notes.last.map(NoteCursor.init(after:)) : nil)
    }
  }

  // MARK: - Writing

  /// Stores a new note.
  func insert(_ draft: NoteDraft) async throws -> Note {
    let now = repository.clock.now
    let note = Note(
      id: repository.random.identifier(), title: draft.title, text: draft.text, createdAt: now, updatedAt: now,
      version: 1)
    try await repository.database.access.write { [owner] database in
      let statement = try database.cachedStatement(
        sql: """
          INSERT INTO note (id, ownerID, title, text, createdAt, updatedAt, version) VALUES (?, ?, ?, ?, ?, ?, ?)
          """)
      try statement.execute(arguments: [
        note.id, owner.id, note.title, note.text, note.createdAt.milliseconds, note.updatedAt.milliseconds,
        note.version,
      ])
    }
    return note
  }

  /// Replaces a note, if its version is one that the condition allows.
  func update(_ id: String, to draft: NoteDraft, if condition: EntityTagCondition) async throws -> Note {
    let now = repository.clock.now
    return try await repository.database.access.write { [owner] database in
      let old = try Self.note(id, of: owner, in: database, if: condition)
      let new = Note(
        id: id, title: draft.title, text: draft.text, createdAt: old.createdAt, updatedAt: now, version: old.version + 1
      )
      let statement = try database.cachedStatement(
        sql: "UPDATE note SET title = ?, text = ?, updatedAt = ?, version = ? WHERE id = ? AND ownerID = ?")
      try statement.execute(
        arguments: [new.title, new.text, new.updatedAt.milliseconds, new.version, id, owner.id])
      return new
    }
  }

  /// Removes a note, if its version is one that the condition allows.
  func delete(_ id: String, if condition: EntityTagCondition) async throws {
    try await repository.database.access.write { [owner] database in
      _ = try Self.note(id, of: owner, in: database, if: condition)
      try database.execute(sql: "DELETE FROM note WHERE id = ? AND ownerID = ?", arguments: [id, owner.id])
    }
  }

  private static func note(
    _ id: String, of owner: User, in database: Database, if condition: EntityTagCondition
  ) throws -> Note {
    guard let note = try note(id, of: owner, in: database) else { throw ServiceError.noSuchNote }
    guard condition.matches(note.entityTag) else { throw ServiceError.changed(now: note.entityTag) }
    return note
  }

  private static func note(_ id: String, of owner: User, in database: Database) throws -> Note? {
    let statement = try database.cachedStatement(
      sql: "SELECT \(Note.columns) FROM note WHERE id = ? AND ownerID = ?")
    return try Row.fetchOne(statement, arguments: [id, owner.id]).map(Note.init)
  }
}
