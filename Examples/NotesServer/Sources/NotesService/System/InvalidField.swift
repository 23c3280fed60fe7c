/// A part of a request that cannot be accepted, and why.
public struct InvalidField: Hashable, Codable, Sendable {
  /// Its name in the request.
  public var field: String
  /// The error of the field.
  public var message: String
}
