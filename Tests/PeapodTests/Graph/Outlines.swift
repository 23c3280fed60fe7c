import Foundation

/// Reads a Mermaid flowchart strictly enough to notice what its grammar would refuse.
struct MermaidOutline {
  private(set) var mistakes: [String] = []
  /// The titles of the boxes around each node, outermost first, by the node's label.
  private(set) var boxes: [String: [String]] = [:]
  private(set) var titles: [String] = []
  private(set) var dashedEdges = 0

  init(_ text: String) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map {
      $0.trimmingCharacters(in: .whitespaces)
    }
    if lines.first?.hasPrefix("flowchart") != true { mistakes.append("no header") }
    var open: [String] = []
    for line in lines.dropFirst() where !line.isEmpty {
      if line == "end" {
        if open.popLast() == nil { mistakes.append("an end too many") }
      } else if let match = line.wholeMatch(of: /subgraph (\w+)(?:\["([^"]*)"\])?/) {
        open.append(String(match.2 ?? match.1))
        titles.append(String(match.2 ?? match.1))
      } else if let match = line.wholeMatch(of: /(\w+)[\[({]+"([^"]*)"[\])}]+(?::::\w+)?/) {
        if match.1 == "end" { mistakes.append("a reserved key") }
        boxes[String(match.2)] = open
      } else if line.wholeMatch(of: /\w+ -\.->(\|[^"|]*\|)? \w+/) != nil {
        dashedEdges += 1
      } else if line.wholeMatch(of: /\w+ (-->|==>|-- "[^"]*" -->)(\|[^"|]*\|)? \w+/) == nil,
        line.wholeMatch(of: /(classDef|class|linkStyle|style|direction) [^"\[\]]+/) == nil, !line.hasPrefix("%%")
      {
        mistakes.append(line)
      }
      // Inside of labels, what is no line break is written as an entity code.
      if let label = line.firstMatch(of: /"([^"]*)"/)?.1, label.replacing("<br/>", with: "").contains(/[<>`]/) {
        mistakes.append("raw: \(line)")
      }
      if line.unicodeScalars.contains(where: { $0.value < 32 && $0 != "\t" }) {
        mistakes.append("control character: \(line)")
      }
    }
    if !open.isEmpty { mistakes.append("\(open.count) boxes are not closed") }
  }
}

/// Reads a Graphviz text strictly enough to notice what its grammar would refuse.
struct DotOutline {
  private(set) var mistakes: [String] = []
  /// The titles of the boxes around each node, outermost first, by the node's label.
  private(set) var boxes: [String: [String]] = [:]
  private(set) var titles: [String] = []
  private(set) var dashedEdges = 0

  init(_ text: String) {
    var tokens = tokenize(text)[...]
    if tokens.popFirst() != "digraph" { mistakes.append("no header") }
    var open: [String] = []
    var statement: [String] = []
    var depth = 0
    for token in tokens {
      switch token {
      case "{":
        depth += 1
        if statement.first == "subgraph" { open.append("") }
        statement = []
      case "}":
        end(statement, &open)
        statement = []
        depth -= 1
        if depth > 0, open.popLast() == nil { mistakes.append("a brace too many") }
      case ";":
        end(statement, &open)
        statement = []
      default: statement.append(token)
      }
    }
    if depth != 0 || !open.isEmpty { mistakes.append("braces do not match") }
  }

  private mutating func end(_ statement: [String], _ open: inout [String]) {
    guard !statement.isEmpty else { return }
    if statement.contains("->") {
      if statement.contains("dashed") { dashedEdges += 1 }
      if statement.count < 3 || statement[1] != "->" { mistakes.append("edge: \(statement)") }
    } else if statement[0] == "label", statement.count == 3, !open.isEmpty {
      open[open.count - 1] = statement[2]
      titles.append(statement[2])
    } else if let label = statement.firstIndex(of: "label"), label + 2 < statement.count, statement[1] == "[" {
      boxes[statement[label + 2]] = open
      if statement.last != "]" { mistakes.append("node: \(statement)") }
    } else if statement.contains("label") {
      mistakes.append("statement: \(statement)")
    }
  }

  /// Words, signs and quoted strings without their quotes.
  private mutating func tokenize(_ text: String) -> [String] {
    var tokens: [String] = []
    var rest = Substring(text)
    while let character = rest.first {
      if character.isWhitespace {
        rest.removeFirst()
      } else if character == "\"" {
        guard let match = rest.prefixMatch(of: /"((?:[^"\\]|\\.)*)"/.dotMatchesNewlines()) else {
          mistakes.append("a quote is not closed")
          return tokens
        }
        if match.1.unicodeScalars.contains(where: { $0.value < 32 && $0 != "\t" }) {
          mistakes.append("control character")
        }
        tokens.append(String(match.1))
        rest = rest[match.range.upperBound...]
      } else if let match = rest.prefixMatch(of: /->|[A-Za-z_0-9.]+|[{}\[\];=,]/) {
        tokens.append(String(match.0))
        rest = rest[match.range.upperBound...]
      } else {
        mistakes.append("unexpected \(character)")
        rest.removeFirst()
      }
    }
    return tokens
  }
}

/// The `dot` program, where it is installed.
enum GraphvizProgram {
  private static let path = ["/usr/bin/dot", "/usr/local/bin/dot", "/opt/homebrew/bin/dot"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  static var isInstalled: Bool { path != nil }

  /// What `dot` has to say against a text; nil where it renders it or is not installed.
  static func problem(with text: String) -> String? {
    guard let path else { return nil }
    let process = Process()
    let input = Pipe()
    let errors = Pipe()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = ["-Tsvg", "-o", "/dev/null"]
    process.standardInput = input
    process.standardError = errors
    do {
      try process.run()
      try input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
      try input.fileHandleForWriting.close()
    } catch {
      return "\(error)"
    }
    let said = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return process.terminationStatus == 0 && said.isEmpty ? nil : String(decoding: said, as: UTF8.self)
  }
}
