import Peapod

/// A pod of an upheaval, and what it overrides.
///
/// A block of `withOverrides` is one too. It is isolated: it has what the pod and those above it overrode when it was opened.
final class UpheavalPlace {
  /// Who makes the instances of a node.
  struct Definition {
    let number: Int
    /// The nodes that are asked for.
    let parts: [Int]
    /// Whether it asks for the node itself as well: for what it would be without this.
    let isDecorator: Bool
  }

  let name: String
  let pod: Pod
  private let parent: UpheavalPlace?
  /// By node, the nearest first: one of its own, and those that a block has from the pod.
  private var overrides: [Int: [Definition]] = [:]
  private var own: Set<Int> = []
  /// The block in which the program uses this pod, and how many builders it had begun when it opened that.
  var block: (place: UpheavalPlace, depth: Int)?

  init(_ name: String, _ pod: Pod, below parent: UpheavalPlace? = nil) {
    self.name = name
    self.pod = pod
    self.parent = parent
  }

  init(block pod: Pod, on original: UpheavalPlace) {
    name = "a block on \(original.name)"
    self.pod = pod
    parent = original.parent.map { UpheavalPlace(block: pod, on: $0) }
    overrides = original.overrides
  }

  /// The place where requests to this pod are answered.
  var acting: UpheavalPlace { block?.place.acting ?? self }

  func isBelow(_ other: UpheavalPlace) -> Bool {
    parent.map { $0 === other || $0.isBelow(other) } ?? false
  }

  // MARK: - Overrides

  var overridden: [Int] { overrides.keys.sorted() }

  func override(_ node: Int, by definition: Definition) {
    if !own.insert(node).inserted { overrides[node]?.removeFirst() }
    overrides[node, default: []].insert(definition, at: 0)
  }

  func removeOverride(of node: Int) {
    own.remove(node)
    overrides[node]?.removeFirst()
    if overrides[node]?.isEmpty ?? false { overrides[node] = nil }
  }

  func removeAllOverrides() { (overrides, own) = ([:], []) }

  /// All definitions of a node from here upwards, the nearest first.
  func definitions(of node: Int) -> [Definition] {
    overrides[node, default: []] + (parent?.definitions(of: node) ?? [])
  }
}
