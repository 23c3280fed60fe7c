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
  /// Creates a node of a provider that was not built.
  package init(_ provider: ProviderInfo, isOverridden: Bool = false) {
    self.init(
      provider: provider, isCached: false, isOverridden: isOverridden, buildCount: 0, inclusiveDuration: .zero,
      exclusiveDuration: .zero, ranOnMainActor: false)
  }
}

extension ProviderGraph.CaptiveDependency {
  /// Creates a pair of known providers.
  package init(_ dependent: ProviderInfo, keeps dependency: ProviderInfo) {
    self.init(dependent: dependent, dependency: dependency)
  }
}

extension ProviderInfo {
  /// Creates the description of a provider that is known only from text.
  package init(
    _ id: ProviderID, name: String, valueType: String = "", scope: String, fileID: String = "", line: UInt = 0
  ) {
    self.id = id
    self.name = name
    self.valueType = valueType
    self.scope = scope
    self.fileID = fileID
    self.line = line
  }
}
