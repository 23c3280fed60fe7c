/// How a report is written.
public enum ReportFormat: String, CaseIterable, Sendable {
  /// Plain text, for a terminal.
  case text
  /// Markdown, for a page.
  case markdown
  /// JSON, for a program.
  case json
}
