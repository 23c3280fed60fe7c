import Foundation
import GRDB
import Logging

/// The database of the service: an SQLite file in WAL mode, or one in memory.
public struct NotesDatabase: Sendable {
  /// Runs what is read and what is written.
  let access: any DatabaseWriter
  private let logger: Logger

  /// Opens the database, and makes or updates its tables.
  ///
  /// - Parameters:
  ///   - path: Its file, which need not exist yet; `nil` for a database in memory, which is released with its last copy.
  ///   - logger: Told when it is opened and closed.
  /// - Throws: `StorageError` if it cannot be written.
  public init(path: String?, logger: Logger) throws {
    self.logger = logger
    do {
      access = try path.map(Self.openFile) ?? DatabaseQueue()
      try Schema.migrator.migrate(access)
    } catch {
      throw StorageError(path: path ?? "in memory", error)
    }
    logger.notice("database opened", metadata: ["path": "\(path ?? "in memory")"])
  }

  private static func openFile(_ path: String) throws -> any DatabaseWriter {
    var configuration = Configuration()
    // Where there are fewer than requests, a request that waits for one blocks a thread.
    configuration.maximumReaderCount = 32
    let pool = try DatabasePool(path: path, configuration: configuration)
    // An acknowledged change outlives a crash of the machine too, not just of the process.
    try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
    return pool
  }

  /// Writes everything into the file itself, and closes it.
  public func close() async {
    do {
      if let pool = access as? DatabasePool {
        // The last connection removes the log beside the file, if it may write: so those that only read go first.
        pool.releaseMemory()
        _ = try await pool.writeWithoutTransaction { try $0.checkpoint(.truncate) }
      }
      try access.close()
      logger.notice("database closed")
    } catch {
      // Nothing is lost: SQLite finds what was committed in the log beside the file when it is opened again.
      logger.error("database not closed", metadata: ["error": "\(error)"])
    }
  }
}
