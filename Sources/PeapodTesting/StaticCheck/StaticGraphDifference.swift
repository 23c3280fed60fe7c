import Peapod

/// The dependencies that a run and the source do not have in common.
///
/// ``Peapod/ProviderGraph/difference(fromStatic:)`` returns this value. The description has one line for each
/// dependency. A `+` marks a dependency that was built and is not in the source. A `-` marks a dependency that is in
/// the source and was not built.
public struct StaticGraphDifference: Sendable, CustomStringConvertible {
  /// A dependency of either graph.
  public struct Dependency: Hashable, Sendable {
    /// The provider that depends on the other.
    public var dependent: ProviderInfo
    /// The provider that the other depends on.
    public var dependency: ProviderInfo
  }

  /// The dependencies that a pod recorded and the source does not show, such as the dependencies of passed or local
  /// providers.
  public internal(set) var hidden: [Dependency] = []
  /// The dependencies in the source that no pod recorded: wiring that no test covers.
  ///
  /// The dependencies of a provider are left out if each pod in which it appears overrides it.
  public internal(set) var unbuilt: [Dependency] = []

  /// Whether the run built exactly the dependencies in the source.
  public var isEmpty: Bool { hidden.isEmpty && unbuilt.isEmpty }

  /// One line for each dependency.
  public var description: String {
    let lines = hidden.map { "+ \($0.text)" } + unbuilt.map { "- \($0.text)" }
    return lines.isEmpty ? "no difference" : lines.joined(separator: "\n")
  }
}

extension StaticGraphDifference.Dependency {
  fileprivate var text: String {
    "\(dependent.name) (\(dependent.fileID):\(dependent.line)) → \(dependency.name) "
      + "(\(dependency.fileID):\(dependency.line))"
  }
}
