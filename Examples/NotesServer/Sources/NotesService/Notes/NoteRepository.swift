/// The notes in the database.
///
/// They are reached through ``UserNotes`` alone, so that each query names an owner.
public final class NoteRepository: Sendable {
  let database: NotesDatabase
  let clock: WallClock
  let random: RandomSource

  /// Makes a repository.
  ///
  /// - Parameters:
  ///   - database: Where notes are stored.
  ///   - clock: Tells when they are written.
  ///   - random: Makes their identifiers.
  public init(database: NotesDatabase, clock: WallClock, random: RandomSource) {
    self.database = database
    self.clock = clock
    self.random = random
  }

  /// Returns the notes of one user.
  ///
  /// - Parameter owner: Whose notes these are.
  /// - Returns: A reader and writer of these notes.
  public func notes(of owner: User) -> UserNotes {
    UserNotes(repository: self, owner: owner)
  }
}
