/// What a client gets when it signs in.
struct Session: Encodable, Sendable {
  let token: String
  let expiresAt: Timestamp
}
