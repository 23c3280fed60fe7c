import Peapod

extension ProgramGraph {
  /// Returns the package's providers and their direct and indirect dependencies, as a graph for texts and diagrams.
  ///
  /// - Parameter name: The title of the description.
  /// - Returns: A graph whose nodes have the names of the variables.
  package func providerGraph(named name: String) -> Peapod.ProviderGraph {
    var shown: Set<String> = []
    var rest = sorted.filter(\.isOwn)
    while let provider = rest.popLast() {
      if shown.insert(provider.usr).inserted { rest += provider.edges.map(\.target) }
    }
    let providers = sorted.filter { shown.contains($0.usr) }
    var ids: [String: ProviderID] = [:]
    for (number, provider) in providers.enumerated() { ids[provider.usr] = ProviderID(number: UInt64(number + 1)) }
    let nodes = providers.map { provider in
      ProviderGraph.Node(
        ProviderInfo(
          ids[provider.usr] ?? ProviderID(number: 0), name: provider.name, valueType: provider.valueType,
          scope: provider.scope.name, fileID: provider.fileID, line: UInt(provider.makerLine)))
    }
    let edges = providers.flatMap { provider in
      let known = provider.edges.filter(\.isDependency)
      let direct = Set(known.filter { $0.use != .deferred }.map(\.target.usr))
      let deferred = Set(known.map(\.target.usr)).subtracting(direct)
      return providers.compactMap { target -> ProviderGraph.Edge? in
        guard direct.contains(target.usr) || deferred.contains(target.usr), let dependent = ids[provider.usr],
          let dependency = ids[target.usr]
        else { return nil }
        return .init(dependent: dependent, dependency: dependency, isDeferred: deferred.contains(target.usr))
      }
    }
    return ProviderGraph(name: name, nodes: nodes, edges: edges, captiveDependencies: [], children: [])
  }
}

extension StaticEdge {
  /// Whether a pod would record the edge.
  var isDependency: Bool { use != .change && use != .passed }
}
