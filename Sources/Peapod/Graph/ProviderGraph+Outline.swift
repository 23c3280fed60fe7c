extension ProviderGraph {
  /// Creates a graph of which only names, scopes and dependencies are known.
  package init(
    name: String, nodes: [Node], edges: [Edge], captiveDependencies: [CaptiveDependency], children: [ProviderGraph]
  ) {
    self.init(
      name: name, nodes: nodes, edges: edges, captiveDependencies: captiveDependencies, children: children,
      parentScopes: [:], isDecoded: true)
  }
}

extension ProviderGraph.Node {
  /// Creates a node of which only the name and the scope are known.
  package init(_ id: ProviderID, name: String, scope: String, isOverridden: Bool) {
    self.init(
      provider: ProviderInfo(id, name: name, scope: scope), isCached: false, isOverridden: isOverridden, buildCount: 0,
      inclusiveDuration: .zero, exclusiveDuration: .zero, ranOnMainActor: false)
  }
}

extension ProviderGraph.CaptiveDependency {
  /// Creates a pair of known providers.
  package init(_ dependent: ProviderInfo, keeps dependency: ProviderInfo) {
    self.init(dependent: dependent, dependency: dependency)
  }
}

extension ProviderInfo {
  fileprivate init(_ id: ProviderID, name: String, scope: String) {
    self.id = id
    self.name = name
    self.scope = scope
    valueType = ""
    fileID = ""
    line = 0
  }
}
