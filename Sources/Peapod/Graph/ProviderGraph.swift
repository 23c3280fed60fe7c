/// A snapshot of a pod's dependency graph.
///
/// ```swift
/// print(pod.graph.mermaid())
/// ```
/// Nodes are sorted by declaration, and edges are sorted, so equal runs give equal diagrams.
public struct ProviderGraph: Sendable, Codable, CustomStringConvertible {
  /// A provider in the graph.
  public struct Node: Sendable, Identifiable, Codable, Hashable {
    /// The identity of the provider.
    public var id: ProviderID { provider.id }
    /// The description of the provider.
    public var provider: ProviderInfo
    /// Whether the pod caches an instance.
    public var isCached: Bool
    /// Whether the pod or an ancestor overrides the provider.
    public var isOverridden: Bool
    /// The number of builds.
    ///
    /// The pod need not count each build of a transient provider.
    public var buildCount: Int
    /// The duration of the last build with its dependencies, to seven digits.
    public var inclusiveDuration: Duration
    /// The duration of the last build without its dependencies, to seven digits.
    public var exclusiveDuration: Duration
    /// Whether the last build ran on the main thread.
    public var ranOnMainActor: Bool
  }

  /// A dependency of one provider on another.
  public struct Edge: Hashable, Sendable, Codable {
    /// The provider whose builder resolved the other one.
    public var dependent: ProviderID
    /// The provider that was resolved.
    public var dependency: ProviderID
    /// Whether this is a deferred dependency: a `Lazy`, a factory or a `PerUse`.
    public var isDeferred: Bool

    /// Creates an edge.
    ///
    /// - Parameters:
    ///   - dependent: The provider whose builder resolves the other one.
    ///   - dependency: The provider that is resolved.
    ///   - isDeferred: Whether the dependency is deferred.
    public init(dependent: ProviderID, dependency: ProviderID, isDeferred: Bool) {
      self.dependent = dependent
      self.dependency = dependency
      self.isDeferred = isDeferred
    }
  }

  /// A pair of an instance and a dependency that can be cleared earlier.
  public struct CaptiveDependency: Hashable, Sendable, Codable {
    /// The provider whose instance stays cached longer.
    public var dependent: ProviderInfo
    /// The provider whose instance can be cleared meanwhile.
    public var dependency: ProviderInfo
  }

  /// The name of the pod.
  public var name: String
  /// The providers, sorted by declaration.
  public var nodes: [Node]
  /// The dependencies, sorted.
  public var edges: [Edge]
  /// The captive dependencies, sorted.
  public var captiveDependencies: [CaptiveDependency]
  /// The graphs of the child pods, with the instances that live in each.
  public var children: [ProviderGraph]
  /// The parent of each scope, by name.
  var parentScopes: [String: String]

  /// Returns the dependencies of a provider.
  ///
  /// - Parameter provider: The provider whose builder resolved the others.
  /// - Returns: The providers, sorted by declaration.
  public func dependencies(of provider: some ProviderProtocol) -> [ProviderInfo] {
    infos(Set(edges.filter { $0.dependent == provider.id }.map(\.dependency)))
  }

  /// Returns the dependents of a provider.
  ///
  /// - Parameter provider: The provider that was resolved.
  /// - Returns: The providers, sorted by declaration.
  public func dependents(of provider: some ProviderProtocol) -> [ProviderInfo] {
    infos(Set(edges.filter { $0.dependency == provider.id }.map(\.dependent)))
  }

  private func infos(_ ids: Set<ProviderID>) -> [ProviderInfo] {
    nodes.filter { ids.contains($0.id) }.map(\.provider)
  }
}
