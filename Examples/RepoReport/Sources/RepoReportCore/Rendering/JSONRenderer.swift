import Foundation

/// Writes reports for programs.
struct JSONRenderer: Renderer {
  func render(_ document: Document) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .iso8601
    // Nothing in a document can fail to encode: it has strings, dates and finite numbers only.
    let data = try! encoder.encode(document)
    return String(decoding: data, as: UTF8.self) + "\n"
  }
}
