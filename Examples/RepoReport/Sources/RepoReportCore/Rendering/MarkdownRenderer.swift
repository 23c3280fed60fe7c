import Foundation

/// Writes reports for a page.
struct MarkdownRenderer: Renderer {
  let timeZone: TimeZone

  func render(_ document: Document) -> String {
    var parts = document.reports.map(markdown)
    if let graph = document.graph { parts.append(markdown(of: graph)) }
    return parts.joined(separator: "\n")
  }

  private func markdown(of report: Report) -> String {
    let head = "# Repository \(report.path.escaped)\n\n\(report.introduction(in: timeZone))\n"
    return ([head] + report.tables.map(markdown)).joined(separator: "\n")
  }

  private func markdown(of table: Table) -> String {
    let rulers = table.columns.map { $0.isNumber ? "---:" : "---" }
    let rows = table.rows.map { $0.map(\.escaped) }
    var lines = ([table.columns.map(\.title), rulers] + rows).map { "| \($0.joined(separator: " | ")) |" }
    if table.omitted > 0 { lines.append("\nand \(table.omitted) more") }
    return "## \(table.title)\n\n\(lines.joined(separator: "\n"))\n"
  }

  private func markdown(of graph: GraphDrawing) -> String {
    var fence = "```"
    while graph.text.contains(fence) { fence += "`" }
    let language =
      switch graph.style {
      case .mermaid, .dot: graph.style.rawValue
      case .tree, .cost: "text"
      }
    return "# How this report was made\n\n\(fence)\(language)\n\(graph.text.endingInNewline)\(fence)\n"
  }
}

extension String {
  /// This text as Markdown that shows it as it is.
  fileprivate var escaped: String {
    printable.map { #"\`*_[]<>|#"#.contains($0) ? "\\\($0)" : "\($0)" }.joined()
  }
}
