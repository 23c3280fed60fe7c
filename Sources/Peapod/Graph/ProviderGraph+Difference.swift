extension ProviderGraph {
  /// Returns the providers, scopes and dependencies that were added, removed or changed since an earlier graph.
  ///
  /// Two snapshots of one process are compared by the identity of their providers. A decoded graph may come from
  /// another process, so its providers are compared by name, type and file. A changed line number is not a difference.
  /// Build counts, durations and cached instances are not compared.
  ///
  /// ```swift
  /// let before = pod.graph
  /// _ = pod.resolve(inboxProvider)
  /// print(pod.graph.difference(from: before))
  /// ```
  /// - Complexity: O(*n* log *n*) in the number of nodes and edges.
  /// - Parameter earlier: The graph to compare with.
  /// - Returns: The difference, which may be empty.
  public func difference(from earlier: ProviderGraph) -> ProviderGraphDifference {
    Comparison(earlier: earlier, later: self, within: nil).difference
  }
}

/// Compares two graphs and, by name, their child pods.
private struct Comparison {
  /// A provider of either graph.
  ///
  /// A provider of both graphs has its identity in the later graph.
  private struct Endpoint: Hashable {
    let id: ProviderID
    let isOnlyEarlier: Bool
  }

  private struct Edge: Hashable {
    let dependent, dependency: Endpoint
    let isDeferred: Bool
  }

  private let earlier, later: ProviderGraph
  /// The later identity of each provider that both graphs have, by its earlier identity.
  private let matches: LayeredTable<ProviderID, ProviderID>
  private let earlierInfos, laterInfos: LayeredTable<ProviderID, ProviderInfo>
  /// How many providers of each pod have a name, without those that the tables of its ancestors have.
  private let names: LayeredTable<String, Int>
  /// The names that more than one provider of this pod and its ancestors has in the two graphs.
  private let ambiguousNames: Set<String>

  /// `outer`: the comparison of the parents.
  init(earlier: ProviderGraph, later: ProviderGraph, within outer: Comparison?) {
    func infos(_ graph: ProviderGraph) -> [ProviderID: ProviderInfo] {
      Dictionary(graph.nodes.map { ($0.id, $0.provider) }, uniquingKeysWith: { $1 })
    }
    let (earlierInfos, laterInfos) = (infos(earlier), infos(later))
    let matches = LayeredTable(Self.matches(earlier, later), above: outer?.matches)
    let named =
      earlierInfos.values.filter { matches[$0.id] == nil && outer?.earlierInfos[$0.id] == nil }
      + laterInfos.values.filter { outer?.laterInfos[$0.id] == nil }
    let counts = Dictionary(named.map { ($0.name, 1) }, uniquingKeysWith: +)
    self.earlier = earlier
    self.later = later
    self.matches = matches
    self.earlierInfos = LayeredTable(earlierInfos, above: outer?.earlierInfos)
    self.laterInfos = LayeredTable(laterInfos, above: outer?.laterInfos)
    names = LayeredTable(counts, above: outer?.names)
    ambiguousNames = (outer?.ambiguousNames ?? [])
      .union(counts.filter { $0.value > 1 || outer?.names[$0.key] != nil }.keys)
  }

  var difference: ProviderGraphDifference {
    var difference = ProviderGraphDifference(name: later.name)
    addNodes(to: &difference)
    let earlierEdges = Set(earlier.edges.map(edge(ofEarlier:)))
    let laterEdges = Set(later.edges.map(edge(ofLater:)))
    difference.removedEdges = earlier.edges.filter { !laterEdges.contains(edge(ofEarlier: $0)) }
      .compactMap { dependency($0, earlierInfos) }
    difference.addedEdges = later.edges.filter { !earlierEdges.contains(edge(ofLater: $0)) }
      .compactMap { dependency($0, laterInfos) }
    let earlierCaptives = Set(earlier.captiveDependencies.map { edge(ofEarlier: $0.edge) })
    let laterCaptives = Set(later.captiveDependencies.map { edge(ofLater: $0.edge) })
    // A captive dependency may outlast the node of its provider, for example of a refreshed member of a family. Then no edge matches.
    let common = Set(earlier.captiveDependencies).intersection(later.captiveDependencies)
    difference.removedCaptiveDependencies = earlier.captiveDependencies
      .filter { !common.contains($0) && !laterCaptives.contains(edge(ofEarlier: $0.edge)) }
    difference.addedCaptiveDependencies = later.captiveDependencies
      .filter { !common.contains($0) && !earlierCaptives.contains(edge(ofLater: $0.edge)) }
    difference.children = childDifferences()
    difference.ambiguousNames = ambiguousNames
    return difference
  }

  // MARK: - Nodes

  /// Pairs the providers that are the same.
  private static func matches(_ earlier: ProviderGraph, _ later: ProviderGraph) -> [ProviderID: ProviderID] {
    let laterByID = Dictionary(later.nodes.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    var matches: [ProviderID: ProviderID] = [:]
    for node in earlier.nodes where laterByID[node.id]?.provider.isSameDeclaration(as: node.provider) == true {
      matches[node.id] = node.id
    }
    guard earlier.isDecoded || later.isDecoded else { return matches }
    // The providers of one name, type and file are paired in the order of their declarations.
    let isMatched = Set(matches.values)
    var rest = Dictionary(grouping: later.nodes.filter { !isMatched.contains($0.id) }) { $0.provider.nameTypeAndFile }
      .mapValues { ArraySlice($0) }
    for node in earlier.nodes where matches[node.id] == nil {
      matches[node.id] = rest[node.provider.nameTypeAndFile]?.popFirst()?.id
    }
    return matches
  }

  private func addNodes(to difference: inout ProviderGraphDifference) {
    let laterByID = Dictionary(later.nodes.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    var isMatched: Set<ProviderID> = []
    for node in earlier.nodes {
      guard let match = matches[node.id].flatMap({ laterByID[$0] }) else {
        difference.removedNodes.append(node)
        continue
      }
      isMatched.insert(match.id)
      if node.provider.scope != match.provider.scope || node.isOverridden != match.isOverridden {
        difference.changedNodes.append(.init(earlier: node, later: match))
      }
    }
    difference.addedNodes = later.nodes.filter { !isMatched.contains($0.id) }
  }

  // MARK: - Edges

  private func edge(ofEarlier edge: ProviderGraph.Edge) -> Edge {
    func endpoint(_ id: ProviderID) -> Endpoint {
      matches[id].map { Endpoint(id: $0, isOnlyEarlier: false) } ?? Endpoint(id: id, isOnlyEarlier: true)
    }
    return Edge(
      dependent: endpoint(edge.dependent), dependency: endpoint(edge.dependency), isDeferred: edge.isDeferred)
  }

  private func edge(ofLater edge: ProviderGraph.Edge) -> Edge {
    Edge(
      dependent: Endpoint(id: edge.dependent, isOnlyEarlier: false),
      dependency: Endpoint(id: edge.dependency, isOnlyEarlier: false), isDeferred: edge.isDeferred)
  }

  private func dependency(
    _ edge: ProviderGraph.Edge, _ infos: LayeredTable<ProviderID, ProviderInfo>
  ) -> ProviderGraphDifference.Dependency? {
    guard let dependent = infos[edge.dependent], let dependency = infos[edge.dependency] else { return nil }
    return .init(dependent: dependent, dependency: dependency, isDeferred: edge.isDeferred)
  }

  // MARK: - Child pods

  /// Pairs the child pods that have the same name, in their order.
  private func childDifferences() -> [ProviderGraphDifference] {
    var rest = Dictionary(grouping: later.children, by: \.name).mapValues { ArraySlice($0) }
    var pairs = earlier.children.map { child in (child, rest[child.name]?.popFirst() ?? .empty(child)) }
    pairs += rest.values.flatMap(\.self).map { (.empty($0), $0) }
    return pairs.map { earlierChild, laterChild in
      Comparison(earlier: earlierChild, later: laterChild, within: self).difference
    }.filter { !$0.isEmpty }.sorted { $0.name < $1.name }
  }
}

extension ProviderGraph {
  /// A graph of the same pod without instances.
  fileprivate static func empty(_ graph: ProviderGraph) -> ProviderGraph {
    ProviderGraph(
      name: graph.name, nodes: [], edges: [], captiveDependencies: [], children: [], parentScopes: [:],
      isDecoded: graph.isDecoded)
  }
}

extension ProviderGraph.CaptiveDependency {
  fileprivate var edge: ProviderGraph.Edge {
    .init(dependent: dependent.id, dependency: dependency.id, isDeferred: false)
  }
}

extension ProviderInfo {
  /// Whether equal identities belong to the same declaration.
  ///
  /// Across processes, identities may be equal by accident.
  fileprivate func isSameDeclaration(as other: ProviderInfo) -> Bool {
    nameTypeAndFile == other.nameTypeAndFile && line == other.line
  }
}
