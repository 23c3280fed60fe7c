/// When work was done, by the clocks of those who did it.
struct Activity: Codable, Equatable, Sendable {
  /// Commits by weekday, from Monday, and by hour.
  var commits = Array(repeating: Array(repeating: 0, count: 24), count: 7)
}
