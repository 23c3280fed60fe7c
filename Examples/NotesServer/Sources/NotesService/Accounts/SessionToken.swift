import Crypto

/// The token that a client sends with each request: 32 random bytes, of which only a hash is stored.
///
/// A fast hash is enough: unlike a password, such a token cannot be guessed.
struct SessionToken: Sendable {
  private static let length = 32

  let text: String
  let hash: [UInt8]

  init(from random: RandomSource) {
    self.init(bytes: random.bytes(Self.length))
  }

  /// Reads a token that a client sent.
  init?(_ text: some StringProtocol) {
    guard let bytes = Base64URL.decode(text), bytes.count == Self.length else { return nil }
    self.init(bytes: bytes)
  }

  private init(bytes: [UInt8]) {
    text = Base64URL.encode(bytes)
    hash = Array(SHA256.hash(data: bytes))
  }
}
