import Foundation
import Testing

@testable import RepoReportCore

@Suite struct RendererTests {
  @Test("JSON is one valid document, whatever happened", arguments: [["a"], ["a", "b"], ["nowhere"], []])
  func json(paths: [String]) async throws {
    let git = RecordedGit(["a": .small, "b": .empty])
    let run = await Run(paths, runner: git, settings: Settings(format: .json, graph: .dot))
    let document = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
    let reports = try #require(document?["reports"] as? [[String: Any]])
    #expect(reports.compactMap { $0["path"] as? String } == paths.filter { $0 != "nowhere" })
    #expect((document?["graph"] as? [String: Any])?["style"] as? String == "dot")
  }

  @Test("What JSON says can be read back")
  func jsonRoundTrip() async throws {
    let run = await Run(["a"], runner: RecordedGit(["a": .small]), settings: Settings(format: .json))
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    let document = try decoder.decode(Document.self, from: Data(run.output.utf8))
    let report = try #require(document.reports.first)
    #expect(report.generated == .stopped)
    #expect(report.totals.added == 20)
    #expect(report.authors.rows.first?.author == Author(name: "Ada", email: "ada@example.com"))
    #expect(report.activity.commits[0][10] == 1)
    #expect(document.graph == nil)
  }

  @Test("Markdown shows names as they are")
  func markdown() async {
    let log = "commit␀A|da *B*␀a@x␀0 +0000␀⏎1⇥0⇥a_b|`c`.swift␀"
    let run = await Run(["a"], runner: RecordedGit(["a": .log(log)]), settings: Settings(format: .markdown))
    #expect(run.output.contains(#"| A\|da \*B\* \<a@x\> | 1 | 1 | 0 |"#))
    #expect(run.output.contains(#"| a\_b\|\`c\`.swift | 1 | 1 | 0 |"#))
    #expect(run.output.contains("| file | commits | added | deleted |\n| --- | ---: | ---: | ---: |\n"))
  }

  @Test("Long lists are cut, and say so", arguments: [ReportFormat.text, .markdown])
  func omitted(format: ReportFormat) async {
    let log = (0..<5).map { "commit␀Author \($0)␀a@x␀0 +0000␀" }.joined()
    let run = await Run(["a"], runner: RecordedGit(["a": .log(log)]), settings: Settings(format: format, rows: 2))
    #expect(run.output.contains("and 3 more\n"))
    #expect(!run.output.contains("Author 2"))
  }
}
