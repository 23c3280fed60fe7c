import GRDB

/// The tables, and how they came to be what they are.
enum Schema {
  static let migrator: DatabaseMigrator = {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("users, sessions and notes") { database in
      try database.execute(
        sql: """
          CREATE TABLE user (
            id TEXT PRIMARY KEY,
            name TEXT NOT NULL UNIQUE COLLATE NOCASE,
            passwordHash TEXT NOT NULL,
            createdAt INTEGER NOT NULL
          );
          CREATE TABLE session (
            tokenHash BLOB PRIMARY KEY,
            userID TEXT NOT NULL REFERENCES user ON DELETE CASCADE,
            expiresAt INTEGER NOT NULL
          ) WITHOUT ROWID;
          CREATE INDEX sessionOfUser ON session (userID);
          CREATE TABLE note (
            number INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            ownerID TEXT NOT NULL REFERENCES user ON DELETE CASCADE,
            title TEXT NOT NULL,
            text TEXT NOT NULL,
            createdAt INTEGER NOT NULL,
            updatedAt INTEGER NOT NULL,
            version INTEGER NOT NULL
          );
          CREATE INDEX noteOfOwner ON note (ownerID, createdAt DESC, id DESC);
          """)
      // The words of the notes; triggers keep them as the notes are.
      try database.create(virtualTable: "noteText", using: FTS5()) { table in
        table.synchronize(withTable: "note")
        table.tokenizer = .unicode61()
        table.column("title")
        table.column("text")
      }
    }
    return migrator
  }()
}
