/// What a pod knows of its providers and of who asks for whom, at one moment.
///
/// ```swift
/// print(pod.graph.mermaid())
/// ```
/// Nodes come in the order of their declarations, edges sorted, so that equal runs give equal drawings.
public struct ProviderGraph: Sendable, Codable, CustomStringConvertible {
  /// A provider.
  public struct Node: Sendable, Identifiable, Codable, Hashable {
    /// The identity of the provider.
    public var id: ProviderID { provider.id }
    /// What is known of the provider.
    public var provider: ProviderInfo
    /// Whether an instance is kept.
    public var isCached: Bool
    /// Whether the pod or one above overrides the provider.
    public var isOverridden: Bool
    /// How often it was built.
    ///
    /// Not kept for every build of a provider of `AlwaysCreateNewScope`.
    public var buildCount: Int
    /// How long the last build took, to seven digits.
    public var inclusiveDuration: Duration
    /// How long the last build took without what it resolved, to seven digits.
    public var exclusiveDuration: Duration
    /// Whether the last build ran on the main thread.
    public var ranOnMainActor: Bool
  }

  /// A provider asked for another.
  public struct Edge: Hashable, Sendable, Codable {
    /// Who asked.
    public var dependent: ProviderID
    /// Who was asked for.
    public var dependency: ProviderID
    /// Whether it asked through a handle, for later.
    public var isDeferred: Bool

    /// Creates an edge.
    ///
    /// - Parameters:
    ///   - dependent: Who asks.
    ///   - dependency: Who is asked for.
    ///   - isDeferred: Whether through a handle.
    public init(dependent: ProviderID, dependency: ProviderID, isDeferred: Bool) {
      self.dependent = dependent
      self.dependency = dependency
      self.isDeferred = isDeferred
    }
  }

  /// An instance that is kept longer than one it was built from.
  public struct CaptiveDependency: Hashable, Sendable, Codable {
    /// What is kept longer.
    public var dependent: ProviderInfo
    /// What can be cleared under it.
    public var dependency: ProviderInfo
  }

  /// The name of the pod.
  public var name: String
  /// The providers, by the place of their declaration.
  public var nodes: [Node]
  /// Who asks for whom, sorted.
  public var edges: [Edge]
  /// The captive dependencies that were found, sorted.
  public var captiveDependencies: [CaptiveDependency]
  /// The pods below, with what lives in each.
  public var children: [ProviderGraph]
  /// The scope that each scope is a child of, by name.
  var parentScopes: [String: String]

  /// The providers that a provider asked for.
  ///
  /// - Parameter provider: Who asked.
  /// - Returns: The providers in the order of their declarations.
  public func dependencies(of provider: some ProviderProtocol) -> [ProviderInfo] {
    infos(Set(edges.filter { $0.dependent == provider.id }.map(\.dependency)))
  }

  /// The providers that asked for a provider.
  ///
  /// - Parameter provider: Who was asked for.
  /// - Returns: The providers in the order of their declarations.
  public func dependents(of provider: some ProviderProtocol) -> [ProviderInfo] {
    infos(Set(edges.filter { $0.dependency == provider.id }.map(\.dependent)))
  }

  private func infos(_ ids: Set<ProviderID>) -> [ProviderInfo] {
    nodes.filter { ids.contains($0.id) }.map(\.provider)
  }
}
