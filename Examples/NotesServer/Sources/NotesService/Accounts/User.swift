/// Somebody who has signed up.
public struct User: Hashable, Codable, Sendable {
  /// Names the user in the database.
  public let id: String
  /// What the user is called.
  public let name: String
}
