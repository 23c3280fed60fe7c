import Foundation
import Testing

/// A Markdown page of this repository with its fenced code blocks.
struct MarkdownPage: Sendable {
  /// A fenced code block.
  struct Block: Sendable, CustomStringConvertible {
    /// The file's path below the root of the repository.
    let path: String
    /// The line of the opening fence, from 1.
    let line: Int
    /// What follows the opening fence: `swift`, `output`, `text` and so on.
    let language: String
    /// The block's text without a newline at the end.
    let text: String
    /// The last line with text in front of the block.
    let lead: String

    var description: String { "\(path):\(line)" }

    /// Whether the block shows what the block before it prints.
    var isOutput: Bool { ["output", "mermaid", "dot"].contains(language) }

    /// The library whose code the block shows, when it is not Peapod's: `<!-- code of: Swinject -->` stands before it.
    var otherLibrary: String? { comment("code of") }

    /// The program that the compiler refuses with this text: `<!-- refused: name of the compile test -->` stands before it.
    var refusedProgram: String? { comment("refused") }

    /// Whether the block is part of a SwiftUI program, which `CompileErrorTests` compile.
    ///
    /// `<!-- SwiftUI -->` stands before it.
    var isSwiftUI: Bool { lead == "<!-- SwiftUI -->" }

    /// The name of the message that the block shows: `<!-- message: cycle -->` stands before it.
    var messageName: String? { comment("message") }

    /// The file that the block is, when the line before it is a path in bold code: `**`Sources/Hello/Greeter.swift`**`.
    var fileName: String? {
      guard lead.hasPrefix("**`"), lead.hasSuffix("`**") else { return nil }
      return String(lead.dropFirst(3).dropLast(3))
    }

    private func comment(_ key: String) -> String? {
      guard lead.hasPrefix("<!-- \(key): "), lead.hasSuffix(" -->") else { return nil }
      return String(lead.dropFirst("<!-- \(key): ".count).dropLast(" -->".count))
    }
  }

  let path: String
  let text: String
  let blocks: [Block]

  init(path: String) throws {
    self.path = path
    text = try String(contentsOf: SourceTree.root.appending(path: path), encoding: .utf8)
    blocks = Self.blocks(of: text, path: path)
  }

  /// Every page whose code blocks are tested here: the README, the articles and the contributors' pages.
  static func all() throws -> [MarkdownPage] {
    let folders = ["Sources/Peapod/Peapod.docc", "Sources/PeapodSystem/PeapodSystem.docc", ".github"]
    let paths = try folders.flatMap { folder in
      try FileManager.default.subpathsOfDirectory(atPath: SourceTree.root.appending(path: folder).path)
        .filter { $0.hasSuffix(".md") }.map { "\(folder)/\($0)" }
    }
    return try (["README.md"] + paths).sorted().map(MarkdownPage.init(path:))
  }

  /// The page of this name among the articles.
  static func article(_ name: String) throws -> MarkdownPage {
    try #require(try all().first { $0.path.hasSuffix("/\(name).md") }, "there is no article \(name)")
  }

  private static func blocks(of text: String, path: String) -> [Block] {
    var blocks: [Block] = []
    var lead = ""
    var open: (line: Int, language: String, lines: [Substring])?
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      if var block = open {
        if line.hasPrefix("```") {
          let text = block.lines.joined(separator: "\n")
          blocks.append(Block(path: path, line: block.line, language: block.language, text: text, lead: lead))
          lead = ""
          open = nil
        } else {
          block.lines.append(line)
          open = block
        }
      } else if line.hasPrefix("```") {
        open = (index + 1, String(line.dropFirst(3)), [])
      } else if !line.isEmpty {
        lead = String(line)
      }
    }
    precondition(open == nil, "\(path): a code block is not closed")
    return blocks
  }
}

/// Where the files of this repository are.
enum SourceTree {
  static let root = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  static let articles = root.appending(path: "Sources/Peapod/Peapod.docc")
  static let tests = root.appending(path: "Tests/DocumentationTests")
}
