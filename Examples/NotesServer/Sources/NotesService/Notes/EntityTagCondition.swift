/// The condition of a client on versions, in `If-Match` or `If-None-Match`.
enum EntityTagCondition: Equatable, Sendable {
  /// `*`: whatever version there is.
  case any
  /// One of these; each as it was written, with its quotes and a `W/` if it is weak.
  case oneOf([Substring])

  /// Reads the value of the header.
  init?(_ header: String) {
    if header.trimmed == "*" {
      self = .any
      return
    }
    // Our own tags contain no comma; any other one matches nothing, whole or in pieces.
    let tags = header.split(separator: ",").map(\.trimmed).filter { !$0.isEmpty }
    guard !tags.isEmpty, tags.allSatisfy({ $0.hasSuffix("\"") }) else { return nil }
    self = .oneOf(tags)
  }

  /// Whether a version is meant; a weak tag never means one, as `If-Match` has it.
  func matches(_ tag: EntityTag) -> Bool {
    switch self {
    case .any: true
    case .oneOf(let tags): tags.contains { $0 == tag.description }
    }
  }

  /// Whether a version is meant, be it by a weak tag, as `If-None-Match` has it.
  func weaklyMatches(_ tag: EntityTag) -> Bool {
    switch self {
    case .any: true
    case .oneOf(let tags): tags.contains { ($0.hasPrefix("W/") ? $0.dropFirst(2) : $0) == tag.description }
    }
  }
}

extension StringProtocol where SubSequence == Substring {
  fileprivate var trimmed: Substring {
    let start = drop { $0 == " " || $0 == "\t" }
    guard let last = start.lastIndex(where: { $0 != " " && $0 != "\t" }) else { return "" }
    return start[...last]
  }
}
