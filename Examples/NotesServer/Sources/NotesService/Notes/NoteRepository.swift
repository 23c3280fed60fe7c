/// The notes in the database.
///
/// They are reached through ``UserNotes`` alone, so that each query names an owner.
public struct NoteRepository: Sendable {
  private let database: NotesDatabase

  /// Makes a repository.
  ///
  /// - Parameter database: Where notes are stored.
  public init(database: NotesDatabase) {
    self.database = database
  }

  /// Returns the notes of one user.
  ///
  /// - Parameter owner: Whose notes these are.
  /// - Returns: What reads and writes them.
  public func notes(of owner: User) -> UserNotes {
    UserNotes(database: database, owner: owner)
  }
}
