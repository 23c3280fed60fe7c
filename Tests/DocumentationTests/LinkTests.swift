import Foundation
import Testing

/// Links within the repository.
///
/// Those between articles and symbols are checked when the documentation is converted.
@Suite("Links")
struct LinkTests {
  @Test("Every relative link of the README leads to a file of the repository")
  func readme() throws {
    let text = try MarkdownPage(path: "README.md").text
    let targets = text.matches(of: /\]\(([^)]+)\)/).map { String($0.1) }
    #expect(targets.count > 30)
    for target in targets where !target.hasPrefix("https://") {
      let file = SourceTree.root.appending(path: String(target.prefix { $0 != "#" }))
      #expect(FileManager.default.fileExists(atPath: file.path), "README.md links to \(target)")
    }
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
