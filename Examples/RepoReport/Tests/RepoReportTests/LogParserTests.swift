import Testing

@testable import RepoReportCore

@Suite struct LogParserTests {
  @Test("Every commit comes with its author, its date and its changes")
  func commits() throws {
    let commits = try parse([
      "commit␀Ada␀ada@example.com␀1772443800 +0100␀⏎3⇥1⇥a.swift␀0⇥7⇥b.swift␀commit␀Grace␀g@x␀0 +0000␀".recorded
    ])
    #expect(
      commits == [
        Commit(
          author: Author(name: "Ada", email: "ada@example.com"), date: CommitDate(seconds: 1_772_443_800, offset: 3600),
          changes: [
            FileChange(path: "a.swift", added: 3, deleted: 1), FileChange(path: "b.swift", added: 0, deleted: 7),
          ]),
        Commit(author: Author(name: "Grace", email: "g@x"), date: CommitDate(seconds: 0, offset: 0)),
      ])
  }

  @Test("Wherever the output is cut, the commits are the same")
  func pieces() throws {
    let bytes = try #require(Recording.small.log.first)
    let whole = try parse([bytes])
    #expect(whole.count == 3)
    for cut in 0...bytes.count {
      #expect(try parse([Array(bytes[..<cut]), Array(bytes[cut...])]) == whole)
    }
    #expect(try parse(bytes.map { [$0] }) == whole)
  }

  @Test("A rename has two names, and a binary file no lines")
  func renamesAndBinaryFiles() throws {
    let commits = try parse(["commit␀A␀a␀0 +0000␀⏎2⇥0⇥␀old name␀new⇥name␀-⇥-⇥logo.png␀".recorded])
    #expect(
      commits.first?.changes == [
        FileChange(path: "new\tname", oldPath: "old name", added: 2, deleted: 0),
        FileChange(path: "logo.png", added: 0, deleted: 0),
      ])
  }

  @Test(
    "Names that look like the syntax of the log are names",
    arguments: ["commit", "1\t2\t", "\n", "=>", "{a => b}", "\"quoted\"", "\u{1B}[2J", "é 日本"])
  func confusingNames(name: String) throws {
    var bytes = Array("commit\0\(name)\0a\00 +0000\0\n1\t0\t\(name)\0".utf8)
    bytes += Array("1\t1\t\0commit\0\(name)\0commit\0A\0a\00 +0000\0".utf8)
    let commits = try parse([bytes])
    #expect(commits.count == 2)
    #expect(commits.first?.author.name == name)
    #expect(commits.first?.changes.map(\.path) == [name, name])
    #expect(commits.first?.changes.last?.oldPath == "commit")
  }

  @Test("No output is no commit")
  func nothing() throws {
    #expect(try parse([]).isEmpty)
  }

  @Test(
    "What is no log, or not a whole one, is refused",
    arguments: ["hello␀", "commit␀Ada␀", "commit␀A␀a␀0 +0000␀⏎1⇥0⇥a.sw", "commit␀A␀a␀0 +0000␀⏎x⇥0⇥a␀", "1⇥0⇥a␀"])
  func damaged(text: String) {
    #expect(throws: ReportError.self) { try parse([text.recorded]) }
  }

  private func parse(_ pieces: [[UInt8]]) throws -> [Commit] {
    var parser = LogParser()
    var commits: [Commit] = []
    for piece in pieces { try parser.parse(piece) { commits.append($0) } }
    try parser.finish { commits.append($0) }
    return commits
  }
}
