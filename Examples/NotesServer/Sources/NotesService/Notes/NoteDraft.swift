/// The content of a note, as a client sends it.
struct NoteDraft: Decodable, Sendable {
  private static let longestTitle = 200
  private static let longestText = 20_000

  var title: String
  var text: String

  func validate() throws(ServiceError) {
    var invalid: [InvalidField] = []
    if title.allSatisfy(\.isWhitespace) || title.unicodeScalars.count > Self.longestTitle {
      invalid.append(
        InvalidField(field: "title", message: "must be 1 to \(Self.longestTitle) characters, not all blank"))
    }
    if text.unicodeScalars.count > Self.longestText {
      invalid.append(InvalidField(field: "text", message: "must be \(Self.longestText) characters at most"))
    }
    // SQLite would end the text at one of these in some of its functions.
    if title.unicodeScalars.contains("\0") || text.unicodeScalars.contains("\0") {
      invalid.append(
        InvalidField(field: title.unicodeScalars.contains("\0") ? "title" : "text", message: "contains NUL"))
    }
    if !invalid.isEmpty { throw .invalid(invalid) }
  }
}
