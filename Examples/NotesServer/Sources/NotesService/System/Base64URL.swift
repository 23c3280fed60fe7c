import Foundation

/// Bytes as text that needs no escaping in an address: RFC 4648, section 5, without padding.
enum Base64URL {
  static func encode(_ bytes: some Sequence<UInt8>) -> String {
    var text = Data(bytes).base64EncodedString()
    text.removeAll { $0 == "=" }
    text.replace("+", with: "-")
    text.replace("/", with: "_")
    return text
  }

  /// Returns the bytes, or `nil` if the text is none that `encode` writes.
  static func decode(_ text: some StringProtocol) -> [UInt8]? {
    var padded = String(text).replacing("-", with: "+").replacing("_", with: "/")
    padded += String(repeating: "=", count: (4 - padded.count % 4) % 4)
    guard let bytes = Data(base64Encoded: padded), encode(bytes) == text else { return nil }
    return [UInt8](bytes)
  }
}
