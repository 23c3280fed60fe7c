import Peapod

extension GraphText {
  /// The error for a line that belongs to no graph.
  struct Failure: Error {
    let line: String
  }

  /// The graph that the lines describe: labels, scopes, overrides, dependencies and child pods.
  func outline() throws(Failure) -> ProviderGraph {
    var reader = OutlineReader(lines: lines[...])
    return try reader.graph(named: "", indent: "", ancestors: [:])
  }
}

/// Reads lines as nodes, their dependencies and child pods.
private struct OutlineReader {
  var lines: ArraySlice<String>
  private var count: UInt64 = 0

  init(lines: ArraySlice<String>) {
    self.lines = lines
  }

  mutating func graph(
    named name: String, indent: String, ancestors: [String: ProviderGraph.Node]
  ) throws(GraphText.Failure) -> ProviderGraph {
    var nodes: [ProviderGraph.Node] = []
    var dependencies: [(dependent: Int, line: Substring)] = []
    var children: [(name: String, lines: ArraySlice<String>)] = []
    while let line = lines.first, line.hasPrefix(indent) {
      lines.removeFirst()
      let text = line.dropFirst(indent.count)
      if text.hasPrefix("  ") {
        guard !nodes.isEmpty else { throw GraphText.Failure(line: line) }
        dependencies.append((nodes.count - 1, text.dropFirst(2)))
      } else if text.hasPrefix("pod "), !text.hasSuffix("]") {
        let own = lines.prefix { $0.hasPrefix(indent + "  ") }
        children.append((String(text.dropFirst("pod ".count)), own))
        lines = lines.dropFirst(own.count)
      } else {
        nodes.append(try node(text))
      }
    }
    guard lines.isEmpty else { throw GraphText.Failure(line: lines.first ?? "") }
    let known = ancestors.merging(nodes.map { ($0.provider.name, $0) }) { $1 }
    var graph = ProviderGraph(name: name, nodes: nodes, edges: [], captiveDependencies: [], children: [])
    for (dependent, line) in dependencies {
      try add(line, of: nodes[dependent].provider, to: &graph, known)
    }
    for child in children {
      lines = child.lines
      graph.children.append(try self.graph(named: child.name, indent: indent + "  ", ancestors: known))
    }
    return graph
  }

  /// Reads `label [Scope, overridden]`.
  private mutating func node(_ text: Substring) throws(GraphText.Failure) -> ProviderGraph.Node {
    guard text.hasSuffix("]"), let bracket = text.ranges(of: " [").last else {
      throw GraphText.Failure(line: String(text))
    }
    var scope = text[bracket.upperBound...].dropLast()
    let isOverridden = scope.hasSuffix(", overridden")
    if isOverridden { scope = scope.dropLast(", overridden".count) }
    count += 1
    return ProviderGraph.Node(
      ProviderInfo(ProviderID(number: count), name: String(text[..<bracket.lowerBound]), scope: String(scope)),
      isOverridden: isOverridden)
  }

  /// Reads `label (deferred) (captive)`.
  private func add(
    _ text: Substring, of dependent: ProviderInfo, to graph: inout ProviderGraph, _ known: [String: ProviderGraph.Node]
  ) throws(GraphText.Failure) {
    var label = text
    func removeMark(_ mark: String) -> Bool {
      guard label.hasSuffix(mark) else { return false }
      label = label.dropLast(mark.count)
      return true
    }
    let isCaptive = removeMark(" (captive)")
    let isDeferred = removeMark(" (deferred)")
    guard let dependency = known[String(label)]?.provider else { throw GraphText.Failure(line: String(text)) }
    graph.edges.append(.init(dependent: dependent.id, dependency: dependency.id, isDeferred: isDeferred))
    if isCaptive { graph.captiveDependencies.append(.init(dependent, keeps: dependency)) }
  }
}
