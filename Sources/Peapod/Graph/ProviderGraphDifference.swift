/// The providers and dependencies that two graphs do not have in common.
///
/// ``ProviderGraph/difference(from:)`` returns this value. The description has one line for each change: `+` means
/// added, `-` means removed, and `~` means changed.
public struct ProviderGraphDifference: Sendable, CustomStringConvertible {
  /// A dependency that one of the graphs has.
  public struct Dependency: Hashable, Sendable {
    /// The provider whose instance was built.
    public var dependent: ProviderInfo
    /// The provider that the builder resolved.
    public var dependency: ProviderInfo
    /// Whether the dependency is deferred.
    public var isDeferred: Bool
  }

  /// A provider whose scope changed, or that is overridden in only one of the graphs.
  public struct Change: Sendable {
    /// The provider in the earlier graph.
    public var earlier: ProviderGraph.Node
    /// The provider in the later graph.
    public var later: ProviderGraph.Node
  }

  /// The name of the pod.
  public internal(set) var name: String
  /// The providers that only the later graph has.
  public internal(set) var addedNodes: [ProviderGraph.Node] = []
  /// The providers that only the earlier graph has.
  public internal(set) var removedNodes: [ProviderGraph.Node] = []
  /// The providers of both graphs that differ.
  public internal(set) var changedNodes: [Change] = []
  /// The dependencies that only the later graph has.
  public internal(set) var addedEdges: [Dependency] = []
  /// The dependencies that only the earlier graph has.
  public internal(set) var removedEdges: [Dependency] = []
  /// The captive dependencies that only the later graph has.
  public internal(set) var addedCaptiveDependencies: [ProviderGraph.CaptiveDependency] = []
  /// The captive dependencies that only the earlier graph has.
  public internal(set) var removedCaptiveDependencies: [ProviderGraph.CaptiveDependency] = []
  /// The differences of the child pods that differ.
  public internal(set) var children: [ProviderGraphDifference] = []

  /// The names that more than one provider has.
  ///
  /// The description shows the places of these providers.
  var ambiguousNames: Set<String> = []

  /// Whether both graphs have the same providers, scopes, overrides and dependencies.
  public var isEmpty: Bool {
    addedNodes.isEmpty && removedNodes.isEmpty && changedNodes.isEmpty && addedEdges.isEmpty && removedEdges.isEmpty
      && addedCaptiveDependencies.isEmpty && removedCaptiveDependencies.isEmpty && children.isEmpty
  }

  /// One line for each change.
  public var description: String {
    isEmpty ? "no difference" : lines.joined(separator: "\n")
  }

  private var lines: [String] {
    removedNodes.map { "- \(text($0))" } + addedNodes.map { "+ \(text($0))" } + changedNodes.map(text)
      + removedEdges.map { "- \(text($0))" } + addedEdges.map { "+ \(text($0))" }
      + removedCaptiveDependencies.map { "- \(text($0))" } + addedCaptiveDependencies.map { "+ \(text($0))" }
      + children.flatMap { child in ["pod \(child.name)"] + child.lines.map { "  " + $0 } }
  }

  private func text(_ node: ProviderGraph.Node) -> String {
    let place = node.provider.place.isEmpty ? "" : " \(node.provider.place)"
    return "\(node.provider.name) [\(node.provider.scope)\(node.isOverridden ? ", overridden" : "")]\(place)"
  }

  private func text(_ change: Change) -> String {
    let (earlier, later) = (change.earlier, change.later)
    var changes: [String] = []
    if earlier.provider.scope != later.provider.scope {
      changes.append("\(earlier.provider.scope) → \(later.provider.scope)")
    }
    if earlier.isOverridden != later.isOverridden {
      changes.append(later.isOverridden ? "overridden" : "no longer overridden")
    }
    return "~ \(label(later.provider)) [\(changes.joined(separator: ", "))]"
  }

  private func text(_ edge: Dependency) -> String {
    "\(label(edge.dependent)) → \(label(edge.dependency))\(edge.isDeferred ? " (deferred)" : "")"
  }

  private func text(_ captive: ProviderGraph.CaptiveDependency) -> String {
    "captive: \(label(captive.dependent)) keeps \(label(captive.dependency))"
  }

  private func label(_ provider: ProviderInfo) -> String {
    ambiguousNames.contains(provider.name) ? "\(provider.name) (\(provider.place))" : provider.name
  }
}

extension ProviderInfo {
  /// The place of the declaration as `Module/File.swift:12`, or an empty string if the place is unknown.
  var place: String { fileID.isEmpty ? "" : "\(fileID):\(line)" }
}
