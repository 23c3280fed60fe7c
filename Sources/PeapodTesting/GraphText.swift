import Peapod

/// A graph as the lines of a golden file: one for each provider, and an indented one for each thing it asks for.
struct GraphText: Equatable {
  let lines: [String]

  /// The lines as the text of a file.
  var text: String {
    lines.map { $0 + "\n" }.joined()
  }

  /// Reads the text of a file, whatever its line ends.
  init(text: String) {
    lines = text.split(omittingEmptySubsequences: true, whereSeparator: \.isNewline).map(String.init)
  }

  /// Describes a graph, with the pods below it.
  init(_ graph: ProviderGraph) {
    lines = Self.lines(of: graph, labelsAbove: [:])
  }

  private static func lines(of graph: ProviderGraph, labelsAbove: [ProviderID: String]) -> [String] {
    let labels = labelsAbove.merging(labels(of: graph.nodes)) { _, own in own }
    let captives = Set(graph.captiveDependencies.map { [$0.dependent.id, $0.dependency.id] })
    let edges = Dictionary(grouping: graph.edges, by: \.dependent)
    let own = graph.nodes
      .map { node in (label: labels[node.id] ?? node.provider.label, node: node) }
      .sorted { $0.label < $1.label }
      .flatMap { label, node in
        let marks = [node.provider.scope] + (node.isOverridden ? ["overridden"] : [])
        let dependencies = (edges[node.id] ?? []).map { edge in
          let isCaptive = captives.contains([edge.dependent, edge.dependency])
          return "  " + (labels[edge.dependency] ?? "?") + (edge.isDeferred ? " (deferred)" : "")
            + (isCaptive ? " (captive)" : "")
        }
        return ["\(label) [\(marks.joined(separator: ", "))]"] + dependencies.sorted()
      }
    // A pod below that keeps nothing has nothing to show, and may go at any time.
    let below = graph.children.map { ($0.name, lines(of: $0, labelsAbove: labels)) }.filter { !$0.1.isEmpty }
    return (own + below.flatMap { name, lines in ["pod \(name)"] + lines.map { "  " + $0 } }).map { line in
      line.split(whereSeparator: \.isNewline).joined(separator: " ")
    }
  }

  /// A label for each node that no other has: with the file where two share a name, and numbered where even that is shared.
  private static func labels(of nodes: [ProviderGraph.Node]) -> [ProviderID: String] {
    var labels = Dictionary(nodes.map { ($0.id, $0.provider.label) }, uniquingKeysWith: { first, _ in first })
    for (_, sharing) in Dictionary(grouping: nodes, by: \.provider.label) where sharing.count > 1 {
      for (_, inFile) in Dictionary(grouping: sharing, by: \.provider.fileID) {
        for (number, node) in inFile.enumerated() {
          labels[node.id] =
            "\(node.provider.label) in \(node.provider.fileID)" + (inFile.count > 1 ? " #\(number + 1)" : "")
        }
      }
    }
    return labels
  }
}
