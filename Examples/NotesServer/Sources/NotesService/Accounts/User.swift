/// Somebody who has signed up.
public struct User: Hashable, Codable, Sendable {
  /// Names the user in the database.
  public let id: String
  /// The name of the user.
  public let name: String
}
