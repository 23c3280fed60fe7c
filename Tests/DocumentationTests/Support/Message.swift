import Testing

/// Compares a text with the block of a page that shows the message of this name.
func expectMessage(
  of name: String, in text: String, sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let blocks = try MarkdownPage.all().flatMap(\.blocks).filter { $0.messageName == name }
  #expect(blocks.count == 1, "one page shows the message \(name)", sourceLocation: sourceLocation)
  for block in blocks {
    let shown = block.text.withoutPlaces
    #expect(
      text.withoutPlaces.contains(shown), "the message \(name) differs from \(block)", sourceLocation: sourceLocation)
  }
}
