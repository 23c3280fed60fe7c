import Peapod

/// The graph of a pod as a page that loads nothing: a picture, a table, and the text for Mermaid.
struct GraphPage {
  private let graph: ProviderGraph

  init(of graph: ProviderGraph) {
    self.graph = graph
  }

  var html: String {
    """
    <!doctype html>
    <html lang="en">
    <meta charset="utf-8">
    <title>\(graph.name.escaped): graph</title>
    <style>
      body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem; color: #222; background: #fff }
      table { border-collapse: collapse }
      th, td { text-align: left; padding: .2rem 1rem .2rem 0; border-bottom: 1px solid #ddd; vertical-align: top }
      pre { background: #f5f5f5; padding: 1rem; overflow-x: auto }
      svg { max-width: 100%; height: auto }
      svg rect { fill: #f5f5f5; stroke: #666 }
      svg rect.overridden { stroke-dasharray: 4 2; stroke-width: 2 }
      svg line { stroke: #999 }
      svg line.deferred { stroke-dasharray: 3 3 }
      svg text { font: 12px system-ui, sans-serif; text-anchor: middle }
    </style>
    <h1>\(graph.name.escaped)</h1>
    <p>\(graph.nodes.count) providers, \(graph.edges.count) dependencies, \(graph.children.count) requests being answered,
    \(graph.captiveDependencies.count) captive dependencies. Each box stands on what it was built from.</p>
    \(GraphPicture(of: graph).svg)
    <h2>Providers</h2>
    <table>
    <tr><th>provider<th>scope<th>declared<th>built<th>in<th>asked for
    \(graph.nodes.map(row).joined(separator: "\n"))
    </table>
    <h2>As Mermaid</h2>
    <pre class="mermaid">
    \(graph.mermaid().escaped)</pre>
    </html>

    """
  }

  private func row(_ node: ProviderGraph.Node) -> String {
    let asked = Set(graph.edges.filter { $0.dependent == node.id }.map(\.dependency))
    let names = graph.nodes.filter { asked.contains($0.id) }.map(\.provider.name.escaped).joined(separator: ", ")
    let info = node.provider
    let place = "\(info.fileID):\(info.line)"
    return """
      <tr><td>\(info.name.escaped)\(node.isOverridden ? " (overridden)" : "")<td>\(info.scope.escaped)<td>\(place.escaped)\
      <td>\(node.buildCount)<td>\(node.inclusiveDuration.formatted)<td>\(names)
      """
  }
}

extension String {
  /// The text with what HTML would read otherwise as entities.
  var escaped: String {
    var result = ""
    for character in self {
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      default: result.append(character)
      }
    }
    return result
  }
}

extension Duration {
  fileprivate var formatted: String {
    "\(components.attoseconds / 1_000_000_000_000 + components.seconds * 1_000_000) µs"
  }
}
