/// A program to run.
struct Command: Hashable, Sendable {
  /// The path of the program's file.
  var program: String
  var arguments: [String]
  /// The changes of the environment that the program inherits: a value to set, or `nil` to remove.
  var environment: [String: String?] = [:]
}
