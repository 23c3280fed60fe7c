/// How the graph of a pod is written.
public enum GraphStyle: String, CaseIterable, Codable, Sendable {
  /// A Mermaid flowchart, which Markdown pages can show.
  case mermaid
  /// Text for Graphviz.
  case dot
  /// A tree, for people.
  case tree
  /// A table of what took how long to build.
  case cost
}
