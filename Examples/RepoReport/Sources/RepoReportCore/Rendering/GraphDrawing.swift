import Peapod

/// The graph of a pod, as text.
struct GraphDrawing: Codable, Sendable {
  var style: GraphStyle
  var text: String

  init(of graph: ProviderGraph, style: GraphStyle) {
    self.style = style
    text =
      switch style {
      case .mermaid: graph.mermaid()
      case .dot: graph.dot()
      case .tree: graph.description
      case .cost: graph.costReport()
      }
  }
}
