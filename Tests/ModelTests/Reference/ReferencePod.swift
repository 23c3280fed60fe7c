/// What the rules say about one pod: a root, a child, or a block, which is a root of its own.
struct ReferencePod {
  /// An override, in the place that it takes among the definitions of a member.
  struct Layer {
    var id: Int
    /// The number of the override of which this is one pod's copy; its own but in blocks.
    var original: Int
    var content: Content
    /// Whether a block has it from the pod that it stands in for, so that the block's own comes on top.
    var isInherited = false
  }

  enum Content {
    /// Builds; in another scope, or in the provider's own.
    case builder(Recipe, ScopeChoice?)
    /// Is this instance.
    case value(serial: Int)
  }

  var parent: Int?
  var owned: Set<ScopeChoice> = []
  /// The overrides of each member, the uppermost first.
  var memberOverrides: [Member: [Layer]] = [:]
  /// The overrides of each whole family, the uppermost first.
  var familyOverrides: [Int: [Layer]] = [:]

  var layers: [Layer] { Array(memberOverrides.values.joined()) + Array(familyOverrides.values.joined()) }
}

extension ReferencePod {
  /// Adds the overrides that a block was given, on top of those of the pod on which it was opened.
  mutating func add(given block: ReferencePod) {
    for (member, layers) in block.memberOverrides {
      memberOverrides[member, default: []].insert(contentsOf: layers.filter { !$0.isInherited }, at: 0)
    }
    for (node, layers) in block.familyOverrides {
      familyOverrides[node, default: []].insert(contentsOf: layers.filter { !$0.isInherited }, at: 0)
    }
  }
}

extension [ReferencePod.Layer] {
  /// Puts an override on top; one of the same pod is replaced, and returned.
  mutating func put(_ layer: ReferencePod.Layer) -> ReferencePod.Layer? {
    let replaced = first.flatMap { $0.isInherited ? nil : $0 }
    if replaced != nil { removeFirst() }
    insert(layer, at: 0)
    return replaced
  }
}
