import Crypto
import CryptoExtras
import Foundation

/// A stored password: a key derived from it by scrypt, with all parameters of the derivation.
struct PasswordHash: Sendable {
  private static let keyLength = 32
  static let saltLength = 16

  let cost: PasswordCost
  let salt: [UInt8]
  let key: SymmetricKey

  init(of password: [UInt8], salt: [UInt8], cost: PasswordCost) throws {
    self.cost = cost
    self.salt = salt
    key = try KDF.Scrypt.deriveKey(
      from: password, salt: salt, outputByteCount: Self.keyLength, rounds: cost.rounds, blockSize: cost.blockSize,
      parallelism: cost.parallelism)
  }

  func matches(_ password: [UInt8]) throws -> Bool {
    // Keys are compared in constant time.
    try PasswordHash(of: password, salt: salt, cost: cost).key == key
  }
}

// MARK: - As text

extension PasswordHash: LosslessStringConvertible {
  init?(_ description: String) {
    let parts = description.split(separator: ":")
    guard parts.count == 6, parts[0] == "scrypt", let rounds = Int(parts[1]), let blockSize = Int(parts[2]),
      let parallelism = Int(parts[3]), let salt = Base64URL.decode(parts[4]), let key = Base64URL.decode(parts[5])
    else { return nil }
    cost = PasswordCost(rounds: rounds, blockSize: blockSize, parallelism: parallelism)
    self.salt = salt
    self.key = SymmetricKey(data: key)
  }

  var description: String {
    let parameters = "scrypt:\(cost.rounds):\(cost.blockSize):\(cost.parallelism)"
    return "\(parameters):\(Base64URL.encode(salt)):\(key.withUnsafeBytes { Base64URL.encode($0) })"
  }
}
