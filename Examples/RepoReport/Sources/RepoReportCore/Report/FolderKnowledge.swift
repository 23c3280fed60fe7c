/// How few people know a folder.
struct FolderKnowledge: Codable, Equatable, Sendable {
  /// The folder, with those below it; `.` is the whole repository.
  var folder: String
  /// How many times a file in it was changed.
  var changes: Int
  /// How many people ever changed a file in it.
  var authors: Int
  /// The smallest number of people who together made more than half of the changes.
  var busFactor: Int
  /// The author of the most changes.
  var mainAuthor: Author
  /// The part of the changes that the main author made, 0 to 1.
  var mainShare: Double
}
