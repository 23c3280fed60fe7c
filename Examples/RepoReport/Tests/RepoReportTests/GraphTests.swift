import Testing

@testable import RepoReportCore

/// The program shows how it is put together.
@Suite struct GraphTests {
  private let git = RecordedGit(["a": .small, "b": .small])

  @Test("Every style of drawing names the parts", arguments: GraphStyle.allCases)
  func styles(style: GraphStyle) async {
    let run = await Run(["a", "b"], runner: git, settings: Settings(graph: style))
    for part in ["Reporter", "LogReader", "MailMap", "Git", "date", "analysers"] {
      #expect(run.output.contains(part))
    }
  }

  @Test("Equal runs are drawn alike", arguments: [GraphStyle.mermaid, .dot])
  func determinism(style: GraphStyle) async {
    let first = await Run(["a", "b"], runner: git, settings: Settings(graph: style))
    for _ in 0..<20 {
      let again = await Run(["a", "b"], runner: git, settings: Settings(graph: style))
      #expect(again.output == first.output)
    }
  }

  @Test("Markdown shows a Mermaid drawing as a picture")
  func mermaidInMarkdown() async {
    let run = await Run(["a"], runner: git, settings: Settings(format: .markdown, graph: .mermaid))
    #expect(run.output.contains("\n```mermaid\n"))
    #expect(run.output.hasSuffix("\n```\n"))
  }
}
