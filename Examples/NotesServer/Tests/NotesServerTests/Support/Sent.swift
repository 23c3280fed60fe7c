/// A note as a client reads it.
struct SentNote: Decodable, Equatable {
  var id: String
  var title: String
  var text: String
  var createdAt: String
  var updatedAt: String
  var version: Int
}

/// A list of notes as a client reads it.
struct SentPage: Decodable {
  var notes: [SentNote]
  var next: String?
}

/// A session as a client reads it.
struct SentSession: Decodable {
  var token: String
  var expiresAt: String
}
