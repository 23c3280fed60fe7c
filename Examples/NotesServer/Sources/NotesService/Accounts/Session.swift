/// The answer to a client that signs in.
struct Session: Encodable, Sendable {
  let token: String
  let expiresAt: Timestamp
}
