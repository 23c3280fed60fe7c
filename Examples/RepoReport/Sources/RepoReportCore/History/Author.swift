/// Somebody who commits.
struct Author: Hashable, Codable, Sendable {
  var name: String
  var email: String
}
