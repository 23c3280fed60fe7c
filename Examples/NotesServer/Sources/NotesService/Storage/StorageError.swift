import GRDB

/// The error of a database that cannot be used, with a description for the person who started the server.
public struct StorageError: Error, CustomStringConvertible {
  /// The file of the database.
  public let path: String
  /// The reason.
  public let reason: String

  init(path: String, _ error: any Error) {
    self.path = path
    reason =
      switch error {
      case let error as DatabaseError: error.message ?? error.resultCode.description
      default: "\(error)"
      }
  }

  /// The reason, and the fix.
  public var description: String {
    "the database '\(path)' cannot be used: \(reason); choose a file that can be written with --database"
  }
}
