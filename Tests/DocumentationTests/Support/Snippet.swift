import Foundation

/// A piece of a test's source that a page shows.
///
/// It stands between `// snippet: Name` and `// end`. Pieces of one name are joined by an empty line, so that a block can
/// begin with an import, go on with declarations and end with statements, each compiled where it may stand. The word
/// `private` of a declaration at the left edge is left out: it lets two pages use one name.
struct Snippet: Sendable {
  let name: String
  /// The test file and line of its first piece.
  let place: String
  private(set) var text: String

  /// The snippets of all test files, by name.
  static func all() throws -> [String: Snippet] {
    var all: [String: Snippet] = [:]
    for file in try sources() {
      for snippet in snippets(in: file.text, file: file.name) {
        if let earlier = all[snippet.name] {
          precondition(
            earlier.place.prefix { $0 != ":" } == snippet.place.prefix { $0 != ":" },
            "\(earlier.place) and \(snippet.place) both have a snippet named \(snippet.name)")
          all[snippet.name]?.text += "\n\n" + snippet.text
        } else {
          all[snippet.name] = snippet
        }
      }
    }
    return all
  }

  /// The Swift files of this test target.
  static func sources() throws -> [(name: String, text: String)] {
    let names = try FileManager.default.subpathsOfDirectory(atPath: SourceTree.tests.path)
    return try names.filter { $0.hasSuffix(".swift") }.sorted().map { name in
      (name, try String(contentsOf: SourceTree.tests.appending(path: name), encoding: .utf8))
    }
  }

  private static func snippets(in source: String, file: String) -> [Snippet] {
    var snippets: [Snippet] = []
    var open: (name: String, line: Int, indent: Int, lines: [Substring])?
    for (index, line) in source.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let code = line.drop { $0 == " " }
      if let snippet = open {
        if code == "// end" {
          // Formatting a file adds an empty line between an import and a comment.
          let lines = snippet.lines.last?.isEmpty == true ? snippet.lines.dropLast() : snippet.lines[...]
          let text = lines.map { shown($0, indent: snippet.indent) }.joined(separator: "\n")
          snippets.append(Snippet(name: snippet.name, place: "\(file):\(snippet.line)", text: text))
          open = nil
        } else {
          open?.lines.append(line)
        }
      } else if code.hasPrefix("// snippet: ") {
        open = (String(code.dropFirst("// snippet: ".count)), index + 1, line.count - code.count, [])
      }
    }
    precondition(open == nil, "\(file): the snippet \(open?.name ?? "") has no end")
    return snippets
  }

  private static func shown(_ line: Substring, indent: Int) -> String {
    let line = line.dropFirst(min(indent, line.prefix { $0 == " " }.count))
    for prefix in ["", "@MainActor "] where line.hasPrefix(prefix + "private ") {
      return prefix + line.dropFirst(prefix.count + "private ".count)
    }
    return String(line)
  }
}
