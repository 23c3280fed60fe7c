import Foundation
import GraphCheck

/// The package with planted errors, whose sources are compiled with these tests.
enum Fixture {
  /// The place and the text of a finding.
  struct Expectation: Hashable, Comparable, CustomStringConvertible {
    let file: String
    let line: Int
    let text: String

    var description: String { "\(file):\(line): \(text)" }

    static func < (left: Self, right: Self) -> Bool { left.description < right.description }
  }

  static let sources = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "GraphFixture/Sources").path

  /// The findings that comments of the sources announce for the next line: `// finding: error: …`.
  static func expectations(_ mark: String, below directory: String = sources) throws -> Set<Expectation> {
    var found: Set<Expectation> = []
    for name in try FileManager.default.subpathsOfDirectory(atPath: directory) where name.hasSuffix(".swift") {
      let path = "\(directory)/\(name)"
      let lines = try String(contentsOfFile: path, encoding: .utf8).split(
        separator: "\n", omittingEmptySubsequences: false)
      for (index, line) in lines.enumerated() {
        let words = line.drop { $0 == " " }
        guard words.hasPrefix("// \(mark): ") else { continue }
        found.insert(Expectation(file: path, line: index + 2, text: String(words.dropFirst("// \(mark): ".count))))
      }
    }
    return found
  }

  /// The graph of the planted providers, from the store of this build.
  static func graph(below directory: String = sources) throws -> ProgramGraph {
    var reader = GraphReader(roots: [directory])
    reader.stores = StoreLocator.besideProgram.map { [$0] } ?? []
    return try reader.graph()
  }
}

extension Finding {
  var expectation: Fixture.Expectation {
    Fixture.Expectation(
      file: location.file, line: location.position.line, text: "\(severity.rawValue): \(text) [\(kind.rawValue)]")
  }
}
