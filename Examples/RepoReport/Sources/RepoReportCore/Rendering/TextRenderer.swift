import Foundation

/// Writes reports for a terminal.
struct TextRenderer: Renderer {
  let timeZone: TimeZone

  func render(_ document: Document) -> String {
    var parts = document.reports.map(text)
    if let graph = document.graph { parts.append(graph.text.endingInNewline) }
    return parts.joined(separator: "\n")
  }

  private func text(of report: Report) -> String {
    let title = "Repository \(report.path)".printable
    let head = "\(title)\n\(report.introduction(in: timeZone))\n"
    return ([head] + report.tables.map(text)).joined(separator: "\n")
  }

  private func text(of table: Table) -> String {
    let titles = table.columns.map(\.title)
    let rows = table.rows.map { $0.map(\.printable) }
    let widths = table.columns.indices.map { column in
      ([titles] + rows).map { $0[column].count }.max() ?? 0
    }
    var lines = ([titles] + rows).map { row in
      let cells = zip(row, zip(table.columns, widths)).map { cell, format in
        cell.padded(to: format.1, onTheLeft: format.0.isNumber)
      }
      return "  " + cells.joined(separator: "  ").droppingSpacesAtEnd
    }
    if table.omitted > 0 { lines.append("  and \(table.omitted) more") }
    return "\(table.title)\n\(lines.joined(separator: "\n"))\n"
  }
}

extension String {
  fileprivate func padded(to width: Int, onTheLeft: Bool) -> String {
    let padding = String(repeating: " ", count: max(0, width - count))
    return onTheLeft ? padding + self : self + padding
  }

  fileprivate var droppingSpacesAtEnd: String {
    String(self[...(lastIndex { $0 != " " } ?? startIndex)])
  }
}
