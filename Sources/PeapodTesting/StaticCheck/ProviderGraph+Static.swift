import GraphCheck
import Peapod

extension ProviderGraph {
  /// Reads the graph of the package's global and static providers from the index store of this build.
  ///
  /// The nodes are named after the variables. No node is cached or built.
  ///
  /// - Parameters:
  ///   - root: The directory of the providers, or `nil` for the package of the calling file.
  ///   - filePath: The calling file.
  /// - Returns: The graph that the source shows.
  /// - Throws: An error that says what to do, if the store or the toolchain's index library is missing.
  public static func inSource(root: String? = nil, filePath: String = #filePath) throws -> ProviderGraph {
    try GraphReader.ofThisBuild(root: root, filePath: filePath).graph().providerGraph(named: "source")
  }

  /// Returns the dependencies that only a run or only the source shows.
  ///
  /// ```swift
  /// @Test(.pod) func everyDependencyIsTested() throws {
  ///   _ = Pod.current.resolve(checkoutProvider)
  ///   #expect(try Pod.current.graph.difference(fromStatic: .inSource()).unbuilt.isEmpty)
  /// }
  /// ```
  /// Providers are compared by the place of their declaration. Deferred and direct dependencies count as equal. The
  /// dependencies of an overridden provider are not compared, because another builder made them.
  ///
  /// - Parameter source: The graph that ``inSource(root:filePath:)`` returns.
  /// - Returns: The difference, which may be empty.
  public func difference(fromStatic source: ProviderGraph) -> StaticGraphDifference {
    [self].difference(fromStatic: source)
  }
}

extension Collection<ProviderGraph> {
  /// Returns the dependencies that only these runs or only the source shows.
  ///
  /// The dependencies of a provider that each run overrides are not compared.
  ///
  /// - Parameter source: The graph that ``Peapod/ProviderGraph/inSource(root:filePath:)`` returns.
  /// - Returns: The difference, which may be empty.
  public func difference(fromStatic source: ProviderGraph) -> StaticGraphDifference {
    var built: Set<StaticGraphDifference.Dependency> = []
    var difference = StaticGraphDifference()
    let places = Dictionary(grouping: source.nodes.map(\.provider), by: \.place)
    /// Returns the provider of the source for a provider of a run.
    ///
    /// The types distinguish two providers on one line.
    func declared(_ provider: ProviderInfo) -> ProviderInfo? {
      let here = places[provider.place] ?? []
      return here.count == 1 ? here[0] : here.first { $0.valueType.hasSuffix(provider.valueType) }
    }
    var known: [ProviderID: ProviderInfo] = [:]
    for node in source.nodes { known[node.id] = node.provider }
    let declaredDependencies = source.edges.compactMap { edge in
      known[edge.dependent].flatMap { dependent in known[edge.dependency].map { (dependent, $0) } }
    }.map(StaticGraphDifference.Dependency.init(dependent:dependency:))
    let isDeclared = Set(declaredDependencies)
    for (dependent, dependency) in flatMap({ $0.dependencies(outer: [:]) }) {
      let pair = StaticGraphDifference.Dependency(
        dependent: declared(dependent) ?? dependent, dependency: declared(dependency) ?? dependency)
      if built.insert(pair).inserted, !isDeclared.contains(pair) { difference.hidden.append(pair) }
    }
    let overridden = map { graph in
      let nodes = graph.allNodes
      func providers(isOverridden: Bool) -> Set<ProviderInfo> {
        Set(nodes.filter { $0.isOverridden == isOverridden }.compactMap { declared($0.provider) })
      }
      return providers(isOverridden: true).subtracting(providers(isOverridden: false))
    }
    let alwaysOverridden = overridden.dropFirst().reduce(overridden.first ?? []) { $0.intersection($1) }
    difference.unbuilt = declaredDependencies.filter {
      !built.contains($0) && !alwaysOverridden.contains($0.dependent)
    }
    return difference
  }
}

extension ProviderGraph {
  /// The nodes of the pod and of its descendants.
  fileprivate var allNodes: [Node] { nodes + children.flatMap(\.allNodes) }

  /// The dependencies of the pod and of its child pods, except the dependencies of overrides.
  fileprivate func dependencies(outer: [ProviderID: Node]) -> [(ProviderInfo, ProviderInfo)] {
    let known = outer.merging(nodes.map { ($0.id, $0) }) { $1 }
    let own = edges.compactMap { edge -> (ProviderInfo, ProviderInfo)? in
      guard let dependent = known[edge.dependent], !dependent.isOverridden, let dependency = known[edge.dependency]
      else {
        return nil
      }
      return (dependent.provider, dependency.provider)
    }
    return own + children.flatMap { $0.dependencies(outer: known) }
  }
}

extension ProviderInfo {
  fileprivate var place: String { "\(fileID):\(line)" }
}
