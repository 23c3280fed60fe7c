/// A snapshot of the providers of a pod and of their dependencies.
///
/// ```swift
/// print(pod.graph.mermaid())
/// ```
/// The nodes are sorted by declaration, and the edges are sorted too. So equal runs give equal diagrams.
public struct ProviderGraph: Sendable, Codable, CustomStringConvertible {
  /// A provider.
  public struct Node: Sendable, Identifiable, Codable, Hashable {
    /// The identity of the provider.
    public var id: ProviderID { provider.id }
    /// The provider's name, type, scope and place.
    public var provider: ProviderInfo
    /// Whether an instance is cached.
    public var isCached: Bool
    /// Whether the pod or an ancestor overrides the provider.
    public var isOverridden: Bool
    /// The number of builds, up to 65,535.
    ///
    /// The pod does not count every build of a transient provider.
    public var buildCount: Int
    /// The time that the last build took, to seven digits.
    public var inclusiveDuration: Duration
    /// The time that the last build took without the time in which its builder resolved dependencies, to seven digits.
    public var exclusiveDuration: Duration
    /// Whether the last build ran on the main thread.
    public var ranOnMainActor: Bool
  }

  /// A dependency of one provider on another.
  public struct Edge: Hashable, Sendable, Codable {
    /// The provider whose instance was built.
    public var dependent: ProviderID
    /// The provider that the builder resolved.
    public var dependency: ProviderID
    /// Whether the dependency is a `Lazy`, a factory or a `PerUse`.
    public var isDeferred: Bool

    /// Creates an edge.
    ///
    /// - Parameters:
    ///   - dependent: The provider whose instance is built.
    ///   - dependency: The provider that the builder resolves.
    ///   - isDeferred: Whether the dependency is deferred.
    public init(dependent: ProviderID, dependency: ProviderID, isDeferred: Bool) {
      self.dependent = dependent
      self.dependency = dependency
      self.isDeferred = isDeferred
    }
  }

  /// A dependency that can be cleared while its dependent stays cached.
  public struct CaptiveDependency: Hashable, Sendable, Codable {
    /// The provider of the instance that stays cached.
    public var dependent: ProviderInfo
    /// The provider of the instance that can be cleared.
    public var dependency: ProviderInfo
  }

  /// The name of the pod.
  public var name: String
  /// The providers, sorted by declaration.
  public var nodes: [Node]
  /// The dependencies, sorted.
  public var edges: [Edge]
  /// The captive dependencies that were found, sorted.
  public var captiveDependencies: [CaptiveDependency]
  /// The child pods, with the instances that live in each.
  ///
  /// The edges of a child may lead to instances of its ancestors, which the queries of the child leave out. The graph of the child pod
  /// itself (``Pod/graph``) has these instances too.
  public var children: [ProviderGraph]
  /// The parent of each scope, by name.
  var parentScopes: [String: String]
  /// Whether the graph may come from another process, whose identities are not valid in this process.
  var isDecoded = false

  private enum CodingKeys: String, CodingKey {
    case name, nodes, edges, captiveDependencies, children, parentScopes
  }
}

extension ProviderGraph {
  /// Reads a graph that this or another process wrote.
  ///
  /// The queries find a provider of this process by name, type and file. If several providers of the graph have these in
  /// common, the queries take the provider with the nearest line. So a provider that the graph lacks may be taken for another.
  ///
  /// - Parameter decoder: The decoder to read from.
  /// - Throws: A `DecodingError` if the data does not describe a graph, such as a scope that contains itself or a negative
  ///   duration.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    name = try values.decode(String.self, forKey: .name)
    nodes = try values.decode([Node].self, forKey: .nodes)
    edges = try values.decode([Edge].self, forKey: .edges)
    captiveDependencies = try values.decode([CaptiveDependency].self, forKey: .captiveDependencies)
    children = try values.decode([ProviderGraph].self, forKey: .children)
    parentScopes = try values.decode([String: String].self, forKey: .parentScopes)
    isDecoded = true
    // A pod measures in nanoseconds.
    let durations = Duration.zero...Duration.nanoseconds(Int64.max)
    for node in nodes
    where !durations.contains(node.inclusiveDuration) || !durations.contains(node.exclusiveDuration) {
      throw DecodingError.dataCorruptedError(
        forKey: .nodes, in: values, debugDescription: "The duration of \(node.provider.name) is out of range.")
    }
    if let scope = scopeWithinItself {
      throw DecodingError.dataCorruptedError(
        forKey: .parentScopes, in: values, debugDescription: "The scope \(scope) contains itself.")
    }
  }

  /// A scope that is its own ancestor, or `nil` if the scopes are trees.
  private var scopeWithinItself: String? {
    var seen: Set<String> = []
    for scope in parentScopes.keys {
      var chain: Set<String> = []
      var name = scope
      while !seen.contains(name), let parent = parentScopes[name] {
        guard chain.insert(name).inserted else { return name }
        name = parent
      }
      seen.formUnion(chain)
    }
    return nil
  }

  // MARK: - Queries

  /// Returns the direct dependencies of a provider.
  ///
  /// - Parameter provider: The dependent.
  /// - Returns: The providers in the order of their declarations.
  public func dependencies(of provider: some ProviderProtocol) -> [ProviderInfo] {
    let id = identity(of: provider)
    return infos(Set(edges.filter { $0.dependent == id }.map(\.dependency)))
  }

  /// Returns the direct dependents of a provider.
  ///
  /// - Parameter provider: The dependency.
  /// - Returns: The providers in the order of their declarations.
  public func dependents(of provider: some ProviderProtocol) -> [ProviderInfo] {
    let id = identity(of: provider)
    return infos(Set(edges.filter { $0.dependency == id }.map(\.dependent)))
  }

  private func infos(_ ids: Set<ProviderID>) -> [ProviderInfo] {
    nodes.filter { ids.contains($0.id) }.map(\.provider)
  }

  /// Returns a shortest chain of dependencies from one provider to another, direct or deferred.
  ///
  /// The chain explains why building the dependent leads to the dependency:
  /// ```swift
  /// let chain = pod.graph.path(from: inboxProvider, to: settingsProvider)
  /// ```
  /// - Complexity: O(nodes + edges).
  /// - Parameters:
  ///   - dependent: The provider at which the chain begins.
  ///   - dependency: The provider at which the chain ends.
  /// - Returns: The providers of the chain, both ends included, or `nil` if there is no chain. If both ends are the same
  ///   provider of the graph, the chain contains only this provider.
  public func path(from dependent: some ProviderProtocol, to dependency: some ProviderProtocol) -> [ProviderInfo]? {
    let infos = Dictionary(nodes.map { ($0.id, $0.provider) }, uniquingKeysWith: { first, _ in first })
    guard let start = identity(of: dependent), let end = identity(of: dependency), let first = infos[start],
      infos[end] != nil
    else { return nil }
    let edgesByDependent = Dictionary(grouping: edges, by: \.dependent)
    var previous: [ProviderID: ProviderID] = [:]
    var queue = [first.id]
    var position = 0
    while position < queue.count, previous[end] == nil, start != end {
      let current = queue[position]
      position += 1
      for edge in edgesByDependent[current] ?? [] where edge.dependency != start && previous[edge.dependency] == nil {
        previous[edge.dependency] = current
        queue.append(edge.dependency)
      }
    }
    guard start == end || previous[end] != nil else { return nil }
    var chain = [end]
    while let last = chain.last, last != start, let step = previous[last] { chain.append(step) }
    return chain.reversed().compactMap { infos[$0] }
  }

  /// The identity that a provider of this process has in the graph.
  private func identity(of provider: some ProviderProtocol) -> ProviderID? {
    guard isDecoded else { return provider.id }
    guard let declaration = provider.id.declaration else { return nil }
    let info = ProviderInfo(declaration, scope: declaration.scope)
    // The identities distinguish providers of one line if this process wrote the graph.
    func rank(_ other: ProviderInfo) -> (UInt, Int) {
      (max(other.line, info.line) - min(other.line, info.line), other.id == info.id ? 0 : 1)
    }
    return nodes.map(\.provider).filter { $0.nameTypeAndFile == info.nameTypeAndFile }.min { rank($0) < rank($1) }?.id
  }
}
