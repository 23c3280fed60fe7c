import Foundation
import Testing

/// Links within the repository.
///
/// Those between articles and symbols are checked when the documentation is converted.
@Suite("Links")
struct LinkTests {
  @Test("Every relative link leads to a file and to a heading in it", arguments: try LinkTests.pages())
  func links(path: String) throws {
    let text = try MarkdownPage(path: path).text
    let targets = text.matches(of: /\]\(([^)\s]+)\)/).map { String($0.1) }
    #expect(path != "README.md" || targets.count > 20)
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

  /// The README of the repository, those of the examples, and the contributors' pages.
  static func pages() throws -> [String] {
    let examples = try FileManager.default.contentsOfDirectory(atPath: SourceTree.root.appending(path: "Examples").path)
    return try MarkdownPage.all().map(\.path).filter { !$0.contains(".docc/") }
      + examples.filter { !$0.hasPrefix(".") }.sorted().map { "Examples/\($0)/README.md" }
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

  @Test("Every rule has a test with the rule's number in its name")
  func rules() throws {
    let page = try MarkdownPage.article("TestStrategy").text
    let numbers = page.matches(of: #/\n\| ([0-9]+) \|/#).compactMap { Int($0.1) }
    #expect(numbers.count >= 30 && numbers == Set(numbers).sorted())
    let tests = SourceTree.root.appending(path: "Tests")
    var tested: Set<Int> = []
    for file in try FileManager.default.subpathsOfDirectory(atPath: tests.path)
    where file.hasSuffix(".swift") && !file.contains(".build") {
      let source = try String(contentsOf: tests.appending(path: file), encoding: .utf8)
      for name in source.matches(of: /@Test\(\s*"([^"]*)"/) {
        tested.formUnion(name.1.matches(of: /\bR([0-9]+)\b/).compactMap { Int($0.1) })
      }
    }
    for number in numbers where !tested.contains(number) {
      Issue.record("no test has R\(number) in its name")
    }
  }

  @Test("Every mutation names its tests and its defect")
  func mutations() throws {
    let folder = SourceTree.root.appending(path: "Tests/Mutations")
    let patches = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".patch") }
    #expect(patches.count >= 20)
    for patch in patches {
      let lines = try String(contentsOf: folder.appending(path: patch), encoding: .utf8).split(separator: "\n")
      #expect(lines[0].hasPrefix("# --filter '") && lines[1].hasPrefix("# ") && lines[1].hasSuffix("."), "\(patch)")
    }
  }

  @Test("Every article is reachable from the root page")
  func reachable() throws {
    let pages = try MarkdownPage.all().filter { $0.path.contains("/Peapod.docc/") }
    let names = pages.map { String($0.path.split(separator: "/").last ?? "").replacing(".md", with: "") }
    let links = pages.map { $0.text.matches(of: /<doc:([A-Za-z]+)>/).map { String($0.1) } }
    let graph = Dictionary(uniqueKeysWithValues: zip(names, links))
    var reached: Set = ["Peapod"]
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
