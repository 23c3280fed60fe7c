import Peapod

/// A graph as the lines of a golden file: one line for each provider, and an indented line for each of its
/// dependencies.
struct GraphText: Equatable {
  let lines: [String]

  /// The lines as the text of a file.
  var text: String {
    lines.map { $0 + "\n" }.joined()
  }

  /// Reads the text of a file with any line endings.
  init(text: String) {
    lines = text.split(omittingEmptySubsequences: true, whereSeparator: \.isNewline).map(String.init)
  }

  /// Creates the lines of a graph and of its child pods.
  init(_ graph: ProviderGraph) {
    lines = Self.lines(of: graph, ancestorLabels: nil)
  }

  private static func lines(
    of graph: ProviderGraph, ancestorLabels: LayeredTable<ProviderID, String>?
  ) -> [String] {
    let labels = LayeredTable(labels(of: graph.nodes), above: ancestorLabels)
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
    // A child pod without instances has nothing to show, and may be released at any time.
    let children = graph.children.map { ($0.name, lines(of: $0, ancestorLabels: labels)) }.filter { !$0.1.isEmpty }
    return (own + children.flatMap { name, lines in [podLine(name)] + lines.map { "  " + $0 } }).map { line in
      line.split(whereSeparator: \.isNewline).joined(separator: " ")
    }
  }

  /// The line of a child pod, with quotes where the line would look like the line of a provider.
  private static func podLine(_ name: String) -> String { name.hasSuffix("]") ? "pod \"\(name)\"" : "pod \(name)" }

  /// A unique label for each node.
  ///
  /// The labels of nodes with one name contain the file. The labels of nodes with one name and one file are also
  /// numbered.
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
