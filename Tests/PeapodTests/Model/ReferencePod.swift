/// What the rules say about one pod, as plainly as they can be written down.
///
/// A member is answered by the uppermost of its *layers*: its own override, else that of its family, else its
/// declaration. Each instance remembers every such choice that it was built under, directly or not. It is the right answer
/// exactly while all of them would be the same again (rule 15), and has ended when one of them was for an override that is
/// gone (rule 16).
///
/// A child pod, or an overriding block, would be a pod with a parent, in which the layers of its own come first.
struct ReferencePod {
  /// A choice of a layer: whose, and beneath which override's builder it was asked for (0 for none).
  struct Choice: Hashable {
    var member: Member
    var beneath: Int
  }

  /// One way in which a member is answered.
  ///
  /// Overrides are numbered from 1; a declaration is 0.
  struct Layer {
    var id: Int
    var content: Content
  }

  enum Content {
    case recipe(Recipe, ScopeChoice)
    case value(serial: Int)
  }

  /// An instance that the pod keeps, set aside or not.
  struct Kept {
    var serial: Int
    var layer: Int
    var scope: ScopeChoice
    var hasHook: Bool
    /// The choices made while it was built, and while what it asked for was built.
    var choices: [Choice: Int]
  }

  var kept: [Member: [Kept]] = [:]
  private(set) var memberOverrides: [Member: Layer] = [:]
  private(set) var familyOverrides: [Int: (id: Int, recipe: Recipe)] = [:]

  var keptCount: Int { kept.values.reduce(0) { $0 + $1.count } }
  var valueCount: Int {
    memberOverrides.values.count { if case .value = $0.content { true } else { false } }
  }

  /// Returns the layer that answers a member beneath a layer, or the uppermost one; nil where there is none such.
  func layer(of member: Member, beneath: Int, in world: World) -> Layer? {
    let node = world.nodes[member.node]
    let declaration = Layer(id: 0, content: .recipe(node.recipe, node.scope))
    let own = memberOverrides[member]
    let family = familyOverrides[member.node].map { Layer(id: $0.id, content: .recipe($0.recipe, node.scope)) }
    switch beneath {
    case 0: return own ?? family ?? declaration
    case own?.id: return family ?? declaration
    case family?.id: return declaration
    default: return nil
    }
  }

  /// Returns the instance that answers a member from a layer, if there is one.
  func keptInstance(of member: Member, layer: Int, in world: World) -> Kept? {
    kept[member]?.first { instance in
      instance.layer == layer
        && instance.choices.allSatisfy { self.layer(of: $0.member, beneath: $0.beneath, in: world)?.id == $1 }
    }
  }

  /// Takes away the instances that a condition names, and returns them as they are disposed: the latest first, and so
  /// dependents before what they were built from.
  mutating func letGo(_ isMeant: (Member, Kept) -> Bool) -> [Kept] {
    var gone: [Kept] = []
    for (member, instances) in kept {
      let (going, staying) = (instances.filter { isMeant(member, $0) }, instances.filter { !isMeant(member, $0) })
      gone += going
      kept[member] = staying.isEmpty ? nil : staying
    }
    return gone.sorted { $0.serial > $1.serial }
  }
}

// MARK: - Overriding

extension ReferencePod {
  /// Returns the instances that end with the override that is replaced or, without a layer, removed.
  mutating func setOverride(of member: Member, _ layer: Layer?) -> [Kept] {
    let former = memberOverrides[member]
    memberOverrides[member] = layer
    return former.map { end(of: [$0.id]) } ?? []
  }

  mutating func setOverride(ofFamily node: Int, _ override: (id: Int, recipe: Recipe)?) -> [Kept] {
    let former = familyOverrides[node]
    familyOverrides[node] = override
    return former.map { end(of: [$0.id]) } ?? []
  }

  mutating func removeAllOverrides() -> [Kept] {
    let ended = memberOverrides.values.map(\.id) + familyOverrides.values.map(\.id)
    (memberOverrides, familyOverrides) = ([:], [:])
    return end(of: Set(ended))
  }

  private mutating func end(of overrides: Set<Int>) -> [Kept] {
    letGo { _, instance in
      overrides.contains(instance.layer)
        || instance.choices.contains { overrides.contains($0.value) || overrides.contains($0.key.beneath) }
    }
  }
}
