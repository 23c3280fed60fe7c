import Foundation

/// Expands `#Preview(…) { … }` for the compiler, as Apple's macro does: into a type that makes the preview.
///
/// The compiler and its plugins talk in messages of JSON, each after its length in eight bytes.
@main
enum PreviewMacro {
  static func main() throws {
    while let message = try receive() {
      if message["getCapability"] != nil {
        try send(["getCapabilityResult": ["capability": ["protocolVersion": 7]]])
      } else if let request = message["expandFreestandingMacro"] as? [String: Any],
        let syntax = request["syntax"] as? [String: Any], let source = syntax["source"] as? String,
        let discriminator = request["discriminator"] as? String
      {
        let expansion = expand(source, discriminator)
        try send(["expandMacroResult": ["expandedSource": expansion, "diagnostics": [String]()]])
      } else {
        FileHandle.standardError.write(Data("unexpected message: \(message)\n".utf8))
        exit(1)
      }
    }
  }

  private static func expand(_ source: String, _ discriminator: String) -> String {
    let call = source.replacing("#Preview", with: "Preview", maxReplacements: 1)
    return """
      struct \(discriminator)15PreviewRegistryfMu_: PreviewRegistry {
        static func makePreview() throws -> Preview {
          \(call)
        }
      }
      """
  }

  private static func receive() throws -> [String: Any]? {
    let head = try receive(8)
    let length = head.reversed().reduce(0) { $0 << 8 | Int($1) }
    // The last message is empty.
    guard length > 0 else { return nil }
    return try JSONSerialization.jsonObject(with: receive(length)) as? [String: Any]
  }

  private static func receive(_ count: Int) throws -> Data {
    var data = Data()
    while data.count < count, let more = try FileHandle.standardInput.read(upToCount: count - data.count), !more.isEmpty
    {
      data += more
    }
    return data
  }

  private static func send(_ message: [String: Any]) throws {
    let body = try JSONSerialization.data(withJSONObject: message)
    let head = (0..<8).map { UInt8(truncatingIfNeeded: body.count >> ($0 * 8)) }
    try FileHandle.standardOutput.write(contentsOf: Data(head) + body)
  }
}
