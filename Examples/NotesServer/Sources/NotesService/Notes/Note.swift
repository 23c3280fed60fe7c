import GRDB

/// A note as it is stored and sent.
struct Note: Encodable, Sendable {
  let id: String
  let title: String
  let text: String
  let createdAt: Timestamp
  let updatedAt: Timestamp
  /// 1 at first, and one more with each update.
  let version: Int

  var entityTag: EntityTag { EntityTag(version: version) }
}

// MARK: - In the database

extension Note {
  static let columns = "note.id, note.title, note.text, note.createdAt, note.updatedAt, note.version"

  /// Reads a row of ``columns``.
  init(_ row: Row) {
    self.init(
      id: row[0], title: row[1], text: row[2], createdAt: Timestamp(milliseconds: row[3]),
      updatedAt: Timestamp(milliseconds: row[4]), version: row[5])
  }
}
