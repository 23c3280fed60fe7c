import Foundation
import Testing

/// Links within the repository.
///
/// Those between articles and symbols are checked when the documentation is converted.
@Suite("Links")
struct LinkTests {
  @Test("Every relative link of a README leads to what is there", arguments: try LinkTests.readmes())
  func links(path: String) throws {
    let text = try MarkdownPage(path: path).text
    let targets = text.matches(of: /\]\(([^)\s]+)\)/).map { String($0.1) }
    #expect(targets.count > (path == "README.md" ? 30 : 3))
    let place = SourceTree.root.appending(path: path)
    for target in targets where !target.hasPrefix("https://") {
      let (path, heading) = (target.prefix { $0 != "#" }, target.drop { $0 != "#" }.dropFirst())
      let file = path.isEmpty ? place : place.deletingLastPathComponent().appending(path: String(path))
      #expect(FileManager.default.fileExists(atPath: file.path), "\(place.path) links to \(target)")
      if heading.isEmpty { continue }
      let headings = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").filter { $0.hasPrefix("#") }
      let anchors = headings.map { $0.drop { "# ".contains($0) }.lowercased().replacing(" ", with: "-") }
      #expect(anchors.contains(String(heading)), "\(place.path) links to \(target)")
    }
  }

  /// The README of the repository, and that of each example.
  static func readmes() throws -> [String] {
    let examples = try FileManager.default.contentsOfDirectory(atPath: SourceTree.root.appending(path: "Examples").path)
    return ["README.md"] + examples.filter { !$0.hasPrefix(".") }.sorted().map { "Examples/\($0)/README.md" }
  }

  @Test("Every path of a test that an article names is there")
  func articles() throws {
    for page in try MarkdownPage.all() {
      for match in page.text.matches(of: /`((?:Tests|Sources|Examples)\/[A-Za-z0-9+\/.]+)`/) {
        let path = String(match.1)
        if page.blocks.contains(where: { $0.fileName == path }) { continue }
        let file = SourceTree.root.appending(path: path)
        #expect(FileManager.default.fileExists(atPath: file.path), "\(page.path) names \(path)")
      }
    }
  }

  @Test("Every file of tests that the guarantees name for a rule has a test with the rule's number")
  func guarantees() throws {
    let page = try MarkdownPage(path: "Sources/Peapod/Peapod.docc/Guarantees.md").text
    let rows = page.matches(of: /\n\| ([0-9]+) \| .* \| (`.*`) \|/)
    #expect(rows.map { Int($0.1) } == Array(1...30))
    for row in rows {
      for file in row.2.matches(of: /`([^`]+)`/) {
        let tests = try String(contentsOf: SourceTree.root.appending(path: String(file.1)), encoding: .utf8)
        let number = try Regex("\\bR\(row.1)\\b")
        #expect(tests.firstMatch(of: number) != nil, "\(file.1) has no test of rule \(row.1)")
      }
    }
  }

  @Test("The guarantees name every mutation that the tests catch")
  func mutations() throws {
    let page = try MarkdownPage(path: "Sources/Peapod/Peapod.docc/Guarantees.md").text
    let folder = SourceTree.root.appending(path: "Tests/Mutations").path
    let patches = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".patch") }
    let names = patches.sorted().map { $0.dropLast(".patch".count).drop { $0 != "-" }.dropFirst() }
    #expect(names.count >= 20)
    #expect(page.matches(of: #/\n\| `([a-z-]+)` \|/#).map(\.1) == names)
  }

  @Test("Every article is reachable from the root page")
  func reachable() throws {
    let pages = try MarkdownPage.all()
    let names = pages.map { String($0.path.split(separator: "/").last ?? "").replacing(".md", with: "") }
    let links = pages.map { $0.text.matches(of: /<doc:([A-Za-z]+)>/).map { String($0.1) } }
    let graph = Dictionary(uniqueKeysWithValues: zip(names, links))
    var reached: Set = ["README", "Peapod"]
    var rest = ["Peapod"]
    while let page = rest.popLast() {
      for link in graph[page] ?? [] where reached.insert(link).inserted { rest.append(link) }
    }
    let extensions = Set(pages.filter { $0.text.hasPrefix("# ``") }.map(\.path))
    for (name, page) in zip(names, pages) where !extensions.contains(page.path) {
      #expect(reached.contains(name), "no page that can be reached links to \(page.path)")
    }
  }
}
