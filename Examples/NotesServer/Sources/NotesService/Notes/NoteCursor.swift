/// A place in a list of notes: after this one, which may be gone by then.
struct NoteCursor: Sendable, Equatable {
  let createdAt: Timestamp
  let id: String

  init(after note: Note) {
    createdAt = note.createdAt
    id = note.id
  }

  /// Reads what a client got as `next`.
  init?(_ text: some StringProtocol) {
    guard let bytes = Base64URL.decode(text) else { return nil }
    let parts = String(decoding: bytes, as: UTF8.self).split(separator: " ", omittingEmptySubsequences: false)
    guard parts.count == 2, let milliseconds = Int64(parts[0]) else { return nil }
    createdAt = Timestamp(milliseconds: milliseconds)
    id = String(parts[1])
  }
}

extension NoteCursor: Encodable {
  var text: String { Base64URL.encode("\(createdAt.milliseconds) \(id)".utf8) }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}
