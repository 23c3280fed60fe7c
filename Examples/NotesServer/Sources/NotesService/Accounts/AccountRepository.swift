import Foundation
import GRDB

/// Users and their sessions in the database.
public struct AccountRepository: Sendable {
  private let database: NotesDatabase

  /// Makes a repository.
  ///
  /// - Parameter database: Where users and sessions are stored.
  public init(database: NotesDatabase) {
    self.database = database
  }

  // MARK: - Users

  /// Stores a user; a name that somebody has already, in whatever case, is refused.
  func insert(_ user: User, passwordHash: PasswordHash, at now: Timestamp) async throws {
    do {
      try await database.access.write { database in
        try database.execute(
          sql: "INSERT INTO user (id, name, passwordHash, createdAt) VALUES (?, ?, ?, ?)",
          arguments: [user.id, user.name, passwordHash.description, now.milliseconds])
      }
    } catch let error as DatabaseError where error.extendedResultCode == .SQLITE_CONSTRAINT_UNIQUE {
      throw ServiceError.nameTaken
    }
  }

  /// Returns the user of a name with what is stored of the password, or `nil` if there is none.
  func user(named name: String) async throws -> (user: User, passwordHash: PasswordHash)? {
    try await database.access.read { database in
      let row = try Row.fetchOne(database, sql: "SELECT * FROM user WHERE name = ?", arguments: [name])
      guard let row, let hash = PasswordHash(row["passwordHash"]) else { return nil }
      return (User(id: row["id"], name: row["name"]), hash)
    }
  }

  // MARK: - Sessions

  /// Stores a session, and removes those of the same user that have ended.
  func insertSession(_ token: SessionToken, of user: User, until expiresAt: Timestamp, at now: Timestamp) async throws {
    try await database.access.write { database in
      try database.execute(
        sql: "DELETE FROM session WHERE userID = ? AND expiresAt <= ?", arguments: [user.id, now.milliseconds])
      try database.execute(
        sql: "INSERT INTO session (tokenHash, userID, expiresAt) VALUES (?, ?, ?)",
        arguments: [Data(token.hash), user.id, expiresAt.milliseconds])
    }
  }

  /// Returns the user whose session this is, if it has not ended.
  func user(of token: SessionToken, at now: Timestamp) async throws -> User? {
    try await database.access.read { database in
      let statement = try database.cachedStatement(
        sql: """
          SELECT user.id, user.name FROM session JOIN user ON user.id = session.userID
          WHERE session.tokenHash = ? AND session.expiresAt > ?
          """)
      return try Row.fetchOne(statement, arguments: [Data(token.hash), now.milliseconds]).map {
        User(id: $0[0], name: $0[1])
      }
    }
  }

  /// Ends a session.
  func removeSession(_ token: SessionToken) async throws {
    try await database.access.write { database in
      try database.execute(sql: "DELETE FROM session WHERE tokenHash = ?", arguments: [Data(token.hash)])
    }
  }
}
