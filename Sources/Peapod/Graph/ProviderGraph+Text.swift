extension ProviderGraph {
  // MARK: - Text

  /// The graph as a tree: each provider stands under its dependents.
  ///
  /// The tree shows the dependencies of a provider once.
  ///
  /// The child pods follow, each under its name. Instances that a child shares with an ancestor are marked as shared.
  public var description: String {
    var lines: [String] = []
    addTree(to: &lines, title: name, indent: "", shared: nil)
    return lines.joined(separator: "\n")
  }

  private func addTree(
    to lines: inout [String], title: String, indent: String, shared: LayeredTable<ProviderID, Node>?
  ) {
    lines.append(indent + title)
    var nodesByID: [ProviderID: Node] = [:]
    for node in nodes { nodesByID[node.id] = node }
    let edgesByDependent = Dictionary(grouping: edges, by: \.dependent)
    let asked = Set(edges.filter { !$0.isDeferred && $0.dependent != $0.dependency }.map(\.dependency))
    var isShown: Set<ProviderID> = []
    // A cycle of deferred dependencies has no first node, so the remaining nodes follow in their order.
    for start in nodes.filter({ !asked.contains($0.id) }) + nodes where !isShown.contains(start.id) {
      var rest = [(id: start.id, depth: 0, isDeferred: false)]
      while let (id, depth, isDeferred) = rest.popLast() {
        guard let node = nodesByID[id] ?? shared?[id] else { continue }
        let isShared = nodesByID[id] == nil
        let isFirst = isShown.insert(id).inserted
        let below = edgesByDependent[id] ?? []
        let marks =
          (isDeferred ? " (later)" : "") + (node.isOverridden ? " (overridden)" : "") + (isShared ? " (shared)" : "")
          + (!isFirst && !below.isEmpty ? " (see above)" : "")
        // A number replaces a deep indentation.
        let step =
          depth < 40 ? String(repeating: "  ", count: depth + 1) : String(repeating: "  ", count: 41) + "(\(depth)) "
        lines.append(
          indent + step
            + "\(node.provider.name) [\(node.provider.scope)] \(node.provider.fileID):\(node.provider.line)\(marks)")
        if isFirst {
          for edge in below.reversed() { rest.append((edge.dependency, depth + 1, edge.isDeferred)) }
        }
      }
    }
    for captive in captiveDependencies {
      lines.append("\(indent)captive: \(captive.dependent.name) keeps \(captive.dependency.name)")
    }
    let above = LayeredTable(nodesByID, above: shared)
    for child in children {
      child.addTree(to: &lines, title: "pod \(child.name)", indent: indent + "  ", shared: above)
    }
  }

  /// Returns a table of build durations, the longest first.
  ///
  /// Each row has the exclusive and the inclusive duration of the last build, the share of the total and the number of builds.
  /// It also says whether the main thread ran the build. For a node of a child pod, the name of the child follows the provider.
  ///
  /// - Returns: The table, with one line for each provider that was built.
  public func costReport() -> String {
    let built = allNodes(in: nil).filter { $0.node.buildCount > 0 }
      .sorted { $1.node.exclusiveDuration < $0.node.exclusiveDuration }
    let total = built.reduce(Duration.zero) { $0 + $1.node.exclusiveDuration }
    var rows = [["exclusive", "inclusive", "share", "builds", "main", "provider"]]
    for (node, pod) in built {
      let share = total == .zero ? 0 : node.exclusiveDuration / total
      rows.append([
        milliseconds(node.exclusiveDuration), milliseconds(node.inclusiveDuration), "\(Int((share * 100).rounded())) %",
        "\(node.buildCount)", node.ranOnMainActor ? "yes" : "no",
        "\(node.provider.name) (\(node.provider.fileID):\(node.provider.line))" + (pod.map { " in \($0)" } ?? ""),
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

  /// The nodes of this pod and of its descendants, with the name of the child pod.
  private func allNodes(in pod: String?) -> [(node: Node, pod: String?)] {
    nodes.map { ($0, pod) } + children.flatMap { $0.allNodes(in: $0.name) }
  }
}

/// A duration in milliseconds with three decimals.
private func milliseconds(_ duration: Duration) -> String {
  let microseconds = duration.attoseconds / 1_000_000_000_000
  let fraction = "\(microseconds % 1000)"
  return "\(microseconds / 1000)." + String(repeating: "0", count: 3 - fraction.count) + fraction + " ms"
}
