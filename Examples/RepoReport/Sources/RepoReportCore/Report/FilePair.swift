/// Two files that change together.
struct FilePair: Codable, Equatable, Sendable {
  var first: String
  var second: String
  /// How many commits changed both.
  var together: Int
  /// The part of the commits with either file that changed both, 0 to 1.
  var share: Double
}
