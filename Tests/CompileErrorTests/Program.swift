#if os(macOS) || os(Linux)
  import Foundation
  import Testing

  /// A program that uses Peapod: one file, or a folder whose files make one module.
  ///
  /// What the compiler has to say of it stands in the comments at the head of its files:
  ///
  ///     // modes: 5 6                    the language modes in which it is compiled
  ///     // error: circular reference     part of an error's text; `warning:` and `note:` likewise
  ///     // also: failed to produce       part of the text of an error that may come with it
  ///
  /// and every line of which the compiler has to speak, and no other, ends in `// here`.
  struct Program: Sendable, CustomTestStringConvertible {
    var name: String
    var files: [String]
    var modes: [LanguageMode] = []
    var expected: [Diagnostic.Severity: [String]] = [:]
    var tolerated: [String] = []
    var marked: Set<SourceLine> = []

    var testDescription: String { name }
  }

  // MARK: - Reading

  extension Program {
    /// The programs of a folder beside this file, each file and each folder in it being one.
    static func all(in folder: String) throws -> [Program] {
      let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: folder)
      let names = try FileManager.default.contentsOfDirectory(atPath: root.path).sorted()
      return try names.filter { !$0.hasPrefix(".") }.map { try Program(at: root.appending(path: $0)) }
    }

    private init(at url: URL) throws {
      var files = [url.path]
      if !url.lastPathComponent.hasSuffix(".swift") {
        files = try FileManager.default.contentsOfDirectory(atPath: url.path).sorted()
          .filter { $0.hasSuffix(".swift") }.map { url.appending(path: $0).path }
      }
      self.init(name: url.deletingPathExtension().lastPathComponent, files: files)
      for file in files {
        try read(String(contentsOfFile: file, encoding: .utf8), of: file)
      }
    }

    /// Takes in what a file's comments say.
    mutating func read(_ text: String, of file: String) throws {
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      for line in lines.prefix(while: { $0.hasPrefix("//") }) {
        let parts = line.dropFirst(3).split(separator: ": ", maxSplits: 1)
        guard parts.count == 2, !parts[0].contains(" ") else { continue }
        try read(key: String(parts[0]), value: String(parts[1]))
      }
      for (index, line) in lines.enumerated() where line.hasSuffix(" // here") {
        marked.insert(SourceLine(path: file, number: index + 1))
      }
    }

    private mutating func read(key: String, value: String) throws {
      switch (key, Diagnostic.Severity(rawValue: key)) {
      case ("modes", _):
        for name in value.split(separator: " ") {
          modes.append(try #require(LanguageMode(rawValue: String(name)), "no such mode in \(self.name)"))
        }
      case ("also", _): tolerated.append(value)
      case (_, let severity?): expected[severity, default: []].append(value)
      default: Issue.record("no such key in \(name): \(key)")
      }
    }
  }

  // MARK: - Judging

  extension Program {
    /// What is wrong with a compiler's answer, a sentence for each, and nothing if it is what the comments ask for.
    func objections(to answer: Compiler.Answer) -> [String] {
      let found = answer.diagnostics.filter { !tolerates($0) }
      let right = found.filter { expects($0) && marked.contains($0.line) }
      let wrong = found.filter { $0.severity != .note && !right.contains($0) }
      let heard = Set(right.map(\.line))
      let missing = expected.flatMap { severity, texts in
        texts.filter { text in !right.contains { $0.severity == severity && $0.text.contains(text) } }
          .map { "\(severity): \($0)" }
      }
      return wrong.map { "unexpected: \($0)" }
        + missing.sorted().map { "not said: \($0)" }
        + marked.subtracting(heard).map { "nothing is said of \($0)" }.sorted()
        + (answer.isSuccess == (expected[.error] == nil) ? [] : ["exit status \(answer.status)"])
    }

    private func expects(_ diagnostic: Diagnostic) -> Bool {
      expected[diagnostic.severity, default: []].contains { diagnostic.text.contains($0) }
    }

    private func tolerates(_ diagnostic: Diagnostic) -> Bool {
      diagnostic.severity == .error && tolerated.contains { diagnostic.text.contains($0) }
    }
  }
#endif
