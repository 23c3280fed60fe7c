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
  /// What is overridden: a node, or a family.
  struct Target: Hashable, Comparable {
    let node: Int
    let isFamily: Bool

    static func < (one: Target, other: Target) -> Bool {
      (one.node, one.isFamily ? 1 : 0) < (other.node, other.isFamily ? 1 : 0)
    }
  }

  /// The nearest first: one of its own, and those that a block has from the pod.
  private var overrides: [Target: [Definition]] = [:]
  private var own: Set<Target> = []
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

  var overridden: [Target] { overrides.keys.sorted() }

  func override(_ target: Target, by definition: Definition) {
    if !own.insert(target).inserted { overrides[target]?.removeFirst() }
    overrides[target, default: []].insert(definition, at: 0)
  }

  func removeOverride(of target: Target) {
    own.remove(target)
    overrides[target]?.removeFirst()
    if overrides[target]?.isEmpty ?? false { overrides[target] = nil }
  }

  func removeAllOverrides() { (overrides, own) = ([:], []) }

  /// All definitions of a node from here upwards, the nearest first.
  func definitions(of node: Int) -> [Definition] {
    // A member counts before its family.
    let own = [false, true].flatMap { overrides[Target(node: node, isFamily: $0), default: []] }
    return own + (parent?.definitions(of: node) ?? [])
  }
}
