/// Remembers, in order, what was told to it from any thread.
final class Log<Entry: Sendable>: Sendable {
  private let list = Locked<[Entry]>([])

  init(of type: Entry.Type = Entry.self) {}

  var entries: [Entry] { list.withLock { $0 } }
  var count: Int { list.withLock { $0.count } }

  func append(_ entry: Entry) {
    list.withLock { $0.append(entry) }
  }

  /// Returns the entries so far and forgets them.
  func drain() -> [Entry] {
    list.withLock { list in
      defer { list = [] }
      return list
    }
  }
}
