import Testing

@Suite("Code blocks of the README and the articles")
struct BlockTests {
  @Test("Every Swift block is, letter for letter, the source of a tested snippet")
  func everyBlockIsTested() throws {
    let snippets = Array(try Snippet.all().values)
    let texts = Set(snippets.map(\.text))
    let files = try MarkdownPage.all().flatMap(\.blocks).filter { $0.fileName != nil }
    for block in try Self.ownBlocks() where !texts.contains(block.text) {
      // A part of a file that the walk through the page builds.
      if files.contains(where: { $0.text.contains(block.text) }) { continue }
      let nearest = snippets.max { block.text.likeness(to: $0.text) < block.text.likeness(to: $1.text) }
      Issue.record(
        """
        \(block): this block is no tested snippet. The nearest is "\(nearest?.name ?? "")" \
        in \(nearest?.place ?? ""). Lines that differ:
        \(block.text.lines(missingFrom: nearest?.text ?? "", mark: "page"))
        \((nearest?.text ?? "").lines(missingFrom: block.text, mark: "test"))
        """)
    }
  }

  @Test("Every snippet is shown by a page")
  func everySnippetIsShown() throws {
    let blocks = Set(try Self.ownBlocks().map(\.text))
    for snippet in try Snippet.all().values where !blocks.contains(snippet.text) {
      Issue.record("\(snippet.place): no page shows the snippet \(snippet.name):\n\(snippet.text)")
    }
  }

  @Test("Every output block follows a snippet whose test compares the output")
  func everyOutputIsCompared() throws {
    let sources = try Snippet.sources().map(\.text).joined()
    let snippets = try Snippet.all().values
    for page in try MarkdownPage.all() {
      for (index, block) in page.blocks.enumerated() where block.isOutput {
        let previous = try #require(index > 0 ? page.blocks[index - 1] : nil, "\(block): an output without a program")
        if previous.fileName != nil { continue }
        let names = snippets.filter { $0.text == previous.text }.map(\.name)
        let compared = names.contains { sources.contains("expectOutput(of: \"\($0)\")") }
        #expect(compared, "\(block): no test compares this output")
      }
    }
  }

  @Test("Every message that a page shows is compared by a test")
  func everyMessageIsCompared() throws {
    let sources = try Snippet.sources().map(\.text).joined()
    for block in try MarkdownPage.all().flatMap(\.blocks) {
      guard let name = block.messageName else { continue }
      #expect(sources.contains("expectMessage(of: \"\(name)\""), "\(block): no test compares this message")
    }
  }

  @Test("A block of another library stands only in that library's migration page")
  func otherLibrariesAreNamed() throws {
    for page in try MarkdownPage.all() {
      let title = page.text.prefix { $0 != "\n" }
      for block in page.blocks {
        guard let library = block.otherLibrary else { continue }
        let names = title.drop { $0 != " " }.dropFirst("Migrating from ".count + 1)
        #expect(names.contains(library), "\(block): code of \(library) under the title \(title)")
      }
    }
  }

  @Test("Blocks use the languages that the tests know")
  func languagesAreKnown() throws {
    let known: Set = ["swift", "output", "mermaid", "dot", "text", "bash", "yaml", "kotlin", "dart"]
    for block in try MarkdownPage.all().flatMap(\.blocks) {
      #expect(known.contains(block.language), "\(block): the language \"\(block.language)\" is not known")
      if ["kotlin", "dart"].contains(block.language) {
        #expect(block.otherLibrary != nil, "\(block): whose code is this?")
      }
    }
  }

  private static func ownBlocks() throws -> [MarkdownPage.Block] {
    try MarkdownPage.all().flatMap(\.blocks).filter {
      $0.language == "swift" && $0.otherLibrary == nil && $0.fileName == nil && $0.refusedProgram == nil
        && !$0.isSwiftUI
    }
  }
}

extension String {
  fileprivate var lineSet: Set<Substring> { Set(split(separator: "\n")) }

  fileprivate func likeness(to other: String) -> Int { lineSet.intersection(other.lineSet).count }

  fileprivate func lines(missingFrom other: String, mark: String) -> String {
    let known = other.lineSet
    return split(separator: "\n").filter { !known.contains($0) }.map { "  \(mark): \($0)" }.joined(separator: "\n")
  }
}
