import Foundation

/// A name and a password, as a client sends them.
public struct Credentials: Codable, Sendable {
  static let nameLengths = 1...40
  static let passwordLengths = 8...200

  /// The name of the user.
  public var name: String
  /// The password as it was typed.
  public var password: String

  /// The password as bytes, the same however its letters are composed.
  var passwordBytes: [UInt8] { Array(password.precomposedStringWithCanonicalMapping.utf8) }

  /// Makes sure that somebody can sign up with this.
  func validate() throws(ServiceError) {
    var invalid: [InvalidField] = []
    let isPlain = name.utf8.allSatisfy { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 | 0x20 || $0.isDigit || $0.isMark }
    if !Self.nameLengths.contains(name.utf8.count) || !isPlain {
      invalid.append(
        InvalidField(field: "name", message: "must be 1 to 40 of the letters a to z, digits, '.', '-', '_'"))
    }
    if !Self.passwordLengths.contains(password.utf8.count) {
      invalid.append(InvalidField(field: "password", message: "must be 8 to 200 bytes long"))
    }
    if !invalid.isEmpty { throw .invalid(invalid) }
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }
  fileprivate var isMark: Bool { [UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_")].contains(self) }
}
