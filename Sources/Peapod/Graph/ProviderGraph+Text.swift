extension ProviderGraph {
  // MARK: - Texts

  /// The graph as a tree of text: each provider under those that ask for it, once in full.
  public var description: String {
    var lines = [name]
    addTree(to: &lines, indent: "")
    for child in children {
      lines.append("pod \(child.name)")
      child.addTree(to: &lines, indent: "  ")
    }
    return lines.joined(separator: "\n")
  }

  private func addTree(to lines: inout [String], indent: String) {
    var nodesByID: [ProviderID: Node] = [:]
    for node in nodes { nodesByID[node.id] = node }
    let edgesByDependent = Dictionary(grouping: edges, by: \.dependent)
    let asked = Set(edges.filter { !$0.isDeferred && $0.dependent != $0.dependency }.map(\.dependency))
    var isShown: Set<ProviderID> = []
    // Loops through handles have no top: what is left over after the tops is begun where it comes first.
    for start in nodes.filter({ !asked.contains($0.id) }) + nodes where !isShown.contains(start.id) {
      var rest = [(id: start.id, depth: 0, isDeferred: false)]
      while let (id, depth, isDeferred) = rest.popLast() {
        guard let node = nodesByID[id] else { continue }
        let isFirst = isShown.insert(id).inserted
        let below = edgesByDependent[id] ?? []
        let marks =
          (isDeferred ? " (later)" : "") + (node.isOverridden ? " (overridden)" : "")
          + (!isFirst && !below.isEmpty ? " (see above)" : "")
        lines.append(
          indent + String(repeating: "  ", count: depth + 1)
            + "\(node.provider.name) [\(node.provider.scope)] \(node.provider.fileID):\(node.provider.line)\(marks)")
        if isFirst {
          for edge in below.reversed() { rest.append((edge.dependency, depth + 1, edge.isDeferred)) }
        }
      }
    }
    for captive in captiveDependencies {
      lines.append("\(indent)captive: \(captive.dependent.name) keeps \(captive.dependency.name)")
    }
  }

  /// A table of what building cost, the most expensive first.
  ///
  /// Each row gives the time of the last build without and with what it resolved, its share of the total, how often it was
  /// built, and whether the main thread had to do it.
  ///
  /// - Returns: The table, one line for each provider that was built.
  public func costReport() -> String {
    let built = allNodes.filter { $0.buildCount > 0 }
      .sorted { $1.exclusiveDuration < $0.exclusiveDuration }
    let total = built.reduce(Duration.zero) { $0 + $1.exclusiveDuration }
    var rows = [["exclusive", "inclusive", "share", "builds", "main", "provider"]]
    for node in built {
      let share = total == .zero ? 0 : node.exclusiveDuration / total
      rows.append([
        milliseconds(node.exclusiveDuration), milliseconds(node.inclusiveDuration), "\(Int((share * 100).rounded())) %",
        "\(node.buildCount)", node.ranOnMainActor ? "yes" : "no",
        "\(node.provider.name) (\(node.provider.fileID):\(node.provider.line))",
      ])
    }
    let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    let lines = rows.map { row in
      row.enumerated().map { column, cell in
        let padding = String(repeating: " ", count: widths[column] - cell.count)
        return column == row.count - 1 ? cell : padding + cell
      }.joined(separator: "  ")
    }
    return (lines + ["total \(milliseconds(total))"]).joined(separator: "\n")
  }

  private var allNodes: [Node] { nodes + children.flatMap(\.allNodes) }
}

/// A duration in milliseconds with three decimals.
private func milliseconds(_ duration: Duration) -> String {
  let microseconds = duration.components.seconds * 1_000_000 + duration.components.attoseconds / 1_000_000_000_000
  let fraction = "\(microseconds % 1000)"
  return "\(microseconds / 1000)." + String(repeating: "0", count: 3 - fraction.count) + fraction + " ms"
}
