import Peapod

/// The `.mailmap` of a repository: says who is behind the names and addresses in its commits.
struct MailMap: Sendable {
  /// By lowercase address of the commits.
  private var entries: [String: Entry] = [:]

  /// Reads the text of a `.mailmap`; of lines that contradict each other, the last one counts.
  init(parsing text: String = "") {
    for line in text.split(whereSeparator: \.isNewline) where !line.hasPrefix("#") {
      add(line)
    }
  }

  /// Returns who the author of a commit really is.
  func author(_ author: Author) -> Author {
    guard let entry = entries[author.email.lowercased()] else { return author }
    let person = entry.byName[author.name.lowercased()] ?? entry.anyName
    return Author(name: person.name ?? author.name, email: person.email ?? author.email)
  }
}

// MARK: - Parsing

extension MailMap {
  /// The replacement of the name and the address of a commit; `nil` leaves them as they are.
  private struct Replacement {
    var name: String?
    var email: String?
  }

  private struct Entry {
    var anyName = Replacement()
    /// By lowercase name of the commits.
    var byName: [String: Replacement] = [:]
  }

  /// Adds a line of one of the four forms, which differ in what they leave out of
  /// `Proper Name <proper@address> Commit Name <commit@address>`.
  private mutating func add(_ line: Substring) {
    guard let first = Contact(line), !first.email.isEmpty else { return }
    guard let second = Contact(first.rest) else {
      if let name = first.name { entries[first.email.lowercased(), default: Entry()].anyName.name = name }
      return
    }
    let key = second.email.lowercased()
    if let commitName = second.name {
      entries[key, default: Entry()].byName[commitName.lowercased()] =
        Replacement(name: first.name, email: first.email)
    } else {
      entries[key, default: Entry()].anyName.email = first.email
      if let name = first.name { entries[key]?.anyName.name = name }
    }
  }

  /// A name, which may be missing, with an address: `Name <address>`.
  private struct Contact {
    var name: String?
    var email: String
    /// The rest of the line.
    var rest: Substring

    init?(_ text: Substring) {
      guard let open = text.firstIndex(of: "<"), let close = text[open...].firstIndex(of: ">") else { return nil }
      let name = text[..<open].trimmingSpaces()
      self.name = name.isEmpty ? nil : name
      email = String(text[text.index(after: open)..<close])
      rest = text[text.index(after: close)...]
    }
  }
}

extension Substring {
  fileprivate func trimmingSpaces() -> String {
    guard let first = firstIndex(where: { !$0.isWhitespace }) else { return "" }
    let last = lastIndex { !$0.isWhitespace } ?? first
    return String(self[first...last])
  }
}

let mailMapProvider = AsyncProvider(scope: .repository) { pod in
  let repository = try pod.resolve(repositoryProvider)
  return MailMap(parsing: try await repository.committedFile(".mailmap") ?? "")
}
