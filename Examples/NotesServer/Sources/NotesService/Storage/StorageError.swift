import GRDB

/// Says that the database cannot be used, in a form that whoever started the server can act upon.
public struct StorageError: Error, CustomStringConvertible {
  /// The file of the database.
  public let path: String
  /// What is wrong.
  public let reason: String

  init(path: String, _ error: any Error) {
    self.path = path
    reason =
      switch error {
      case let error as DatabaseError: error.message ?? error.resultCode.description
      default: "\(error)"
      }
  }

  /// What is wrong, and what to do.
  public var description: String {
    "the database '\(path)' cannot be used: \(reason); choose a file that can be written with --database"
  }
}
