/// Takes apart what `git log --numstat -z` writes, however it is cut into pieces.
///
/// All is separated by NUL, the one byte that neither a name nor a path can contain:
///
///     commit␀name␀address␀date␀⏎1⇥0⇥path␀0⇥0⇥␀old path␀new path␀commit␀…
struct LogParser {
  /// The `--format` that makes git write what this parser reads, together with `--date=raw`.
  static let format = "commit%x00%an%x00%ae%x00%ad"

  private var field: [UInt8] = []
  private var expected = Expected.commit
  private var commit: Commit?

  /// Takes the next piece, and gives every commit that is complete to `body`.
  mutating func parse(_ piece: [UInt8], _ body: (Commit) throws -> Void) throws {
    var rest = piece[...]
    while let end = rest.firstIndex(of: 0) {
      field += rest[..<end]
      rest = rest[(end + 1)...]
      try accept(String(decoding: field, as: UTF8.self), body)
      field.removeAll(keepingCapacity: true)
    }
    field += rest
  }

  /// Gives the last commit to `body`, when there are no more pieces.
  mutating func finish(_ body: (Commit) throws -> Void) throws {
    guard field.isEmpty, expected.canBeLast else { throw ReportError.unreadableLog("it ends too early") }
    if let commit { try body(commit) }
    self = LogParser()
  }
}

// MARK: - Fields

extension LogParser {
  private enum Expected {
    /// The first word of the first commit. Next: its author's name.
    case commit
    /// Next: the address.
    case name
    /// Next: the date.
    case email(name: String)
    /// Next: the changes.
    case date(Author)
    /// A change, or the first word of the next commit.
    case change
    /// The name that a file had. Next: the one that it has.
    case oldPath(added: Int, deleted: Int)
    /// Next: another change.
    case newPath(added: Int, deleted: Int, oldPath: String)

    var canBeLast: Bool {
      switch self {
      case .commit, .change: true
      default: false
      }
    }
  }

  private mutating func accept(_ text: String, _ body: (Commit) throws -> Void) throws {
    switch expected {
    case .commit, .change:
      if text == "commit" {
        if let commit { try body(commit) }
        commit = nil
        expected = .name
      } else {
        try acceptChange(text)
      }
    case .name:
      expected = .email(name: text)
    case .email(let name):
      expected = .date(Author(name: name, email: text))
    case .date(let author):
      // A date that git itself cannot read is written as an empty field.
      commit = Commit(author: author, date: CommitDate(raw: text) ?? CommitDate(seconds: 0, offset: 0))
      expected = .change
    case .oldPath(let added, let deleted):
      expected = .newPath(added: added, deleted: deleted, oldPath: text)
    case .newPath(let added, let deleted, let oldPath):
      commit?.changes.append(FileChange(path: text, oldPath: oldPath, added: added, deleted: deleted))
      expected = .change
    }
  }

  /// Takes `added⇥deleted⇥path`; the path is empty if two fields with the names before and after a rename follow.
  private mutating func acceptChange(_ text: String) throws {
    let parts = text.drop { $0 == "\n" }.split(separator: "\t", maxSplits: 2, omittingEmptySubsequences: false)
    guard commit != nil, parts.count == 3, let added = Self.lines(parts[0]), let deleted = Self.lines(parts[1]) else {
      throw ReportError.unreadableLog("'\(text)' was not expected")
    }
    if parts[2].isEmpty {
      expected = .oldPath(added: added, deleted: deleted)
    } else {
      commit?.changes.append(FileChange(path: String(parts[2]), added: added, deleted: deleted))
    }
  }

  /// A number of lines; git writes `-` for a binary file, which has none.
  private static func lines(_ text: Substring) -> Int? {
    text == "-" ? 0 : Int(text)
  }
}
