import Peapod

/// Declarations whose answers can be foretold from the overrides of the pods alone, whatever is cached where.
final class AnswerWorld: Sendable {
  struct OwnedScope: ProviderScope {}

  let declared: [AnswerDefinition]
  /// Whether builders open override scopes; otherwise some of them resolve from the captured pod, which acts otherwise within a scope.
  let hasScopes: Bool
  let other = Pod("other")
  /// Inner children that builders keep.
  let kept = Locked<[Pod]>([])
  private let providers = Locked<[Provider<Answer>]>([])

  init(using generator: inout SplitMix64) {
    let hasScopes = generator.chance(50)
    self.hasScopes = hasScopes
    var declared: [AnswerDefinition] = []
    for node in 0..<(4 + generator.below(8)) {
      declared.append(.random(node, label: "", isOverride: false, depth: 0, hasScopes: hasScopes, &generator))
    }
    self.declared = declared
    for (node, definition) in declared.enumerated() {
      func declare(_ scope: some ProviderScope) -> Provider<Answer> {
        Provider("\(node)", scope: scope) { [unowned self] pod in build(definition, node, pod) }
      }
      let provider =
        switch generator.below(6) {
        case 0: declare(.alwaysCreateNew)
        case 1: declare(.graph)
        case 2: declare(OwnedScope())
        default: declare(.singleton)
        }
      providers.withLock { $0.append(provider) }
    }
  }

  func provider(_ node: Int) -> Provider<Answer> { providers.withLock { $0[node] } }

  func override(_ node: Int, by definition: AnswerDefinition, in pod: Pod) {
    switch definition {
    case .value(let label): pod.overrideProvider(provider(node), withValue: Answer("\(node)\(label)"))
    case .builder: pod.overrideProvider(provider(node)) { [unowned self] in build(definition, node, $0) }
    }
  }

  // MARK: - What the library does

  private func build(_ definition: AnswerDefinition, _ node: Int, _ pod: Pod) -> Answer {
    guard case .builder(let label, let asks, let deferred) = definition else { fatalError("no builder") }
    let parts = asks.map { ask($0, node, pod).text }
    let handles = deferred.map { deferred -> @Sendable () -> Answer in
      guard deferred.isLazy else { return pod.factory(provider(deferred.node)) }
      let lazy = pod.lazy(provider(deferred.node))
      return { lazy.value }
    }
    return Answer("\(node)\(label)(\(parts.joined(separator: ",")))", deferred: handles)
  }

  private func ask(_ ask: AnswerAsk, _ node: Int, _ pod: Pod) -> Answer {
    switch ask {
    case .direct(let next): return pod.resolve(provider(next))
    case .itself: return pod.resolve(provider(node))
    case .lazy(let next): return pod.lazy(provider(next)).value
    case .factory(let next): return pod.factory(provider(next))()
    case .perUse(let next): return pod.perUse(provider(next)).use { $0 }
    case .fresh(let next): return pod.withFreshInstance(of: provider(next)) { $0 }
    case .captured(let next): return other.resolve(provider(next))
    case .inner(let isOverrideScope, let isOwner, let isKept, let changes, let next):
      func configure(_ inner: Pod) { for (node, change) in changes { override(node, by: change, in: inner) } }
      if isOverrideScope { return pod.withOverrides(configure) { self.ask(next, node, pod) } }
      let owning: [any ProviderScope] = isOwner ? [OwnedScope()] : []
      guard isKept else {
        return pod.withChild("inner", owning: owning, configure: configure) { self.ask(next, node, $0) }
      }
      let child = pod.makeChild("inner", owning: owning, configure: configure)
      kept.withLock { $0.append(child) }
      return self.ask(next, node, child)
    }
  }

  // MARK: - What the rules foretell

  /// The text of a node's answer, as seen through overrides, the nearest pod's first.
  func text(_ node: Int, _ layers: [[Int: AnswerDefinition]], other: [[Int: AnswerDefinition]], from start: Int = 0)
    -> String
  {
    let place = layers.indices.first { $0 >= start && layers[$0][node] != nil }
    switch place.flatMap({ layers[$0][node] }) ?? declared[node] {
    case .value(let label): return "\(node)\(label)"
    case .builder(let label, let asks, _):
      let parts = asks.map { text($0, node, layers, other: other, beneath: place ?? layers.count) }
      return "\(node)\(label)(\(parts.joined(separator: ",")))"
    }
  }

  private func text(
    _ ask: AnswerAsk, _ node: Int, _ layers: [[Int: AnswerDefinition]], other: [[Int: AnswerDefinition]], beneath: Int
  ) -> String {
    switch ask {
    case .direct(let next), .lazy(let next), .factory(let next), .perUse(let next), .fresh(let next):
      return text(next, layers, other: other)
    case .itself: return text(node, layers, other: other, from: beneath + 1)
    case .captured(let next): return text(next, other, other: other)
    case .inner(_, _, _, let changes, let next):
      return text(next, node, [changes] + layers, other: other, beneath: beneath + 1)
    }
  }
}

extension AnswerDefinition {
  /// Makes a definition of a node at random; `depth` tells how many inner pods lead to it.
  static func random(
    _ node: Int, label: String, isOverride: Bool, depth: Int, hasScopes: Bool, _ generator: inout SplitMix64
  ) -> AnswerDefinition {
    if isOverride, generator.chance(40) { return .value(label: label) }
    var asks: [AnswerAsk] = []
    if isOverride, generator.chance(40) { asks.append(.itself) }
    var deferred: [AnswerDeferred] = []
    if node > 0 {
      for _ in 0..<generator.below(4) { asks.append(.random(below: node, depth: depth, hasScopes: hasScopes, &generator)) }
      if generator.chance(40) {
        deferred.append(AnswerDeferred(node: generator.below(node), isLazy: generator.chance(50)))
      }
    }
    return .builder(label: label, asks, deferred: deferred)
  }
}

extension AnswerAsk {
  fileprivate static func random(below limit: Int, depth: Int, hasScopes: Bool, _ generator: inout SplitMix64) -> AnswerAsk {
    let node = generator.chance(50) ? limit - 1 : generator.below(limit)
    guard depth < 2, generator.chance(35) else {
      switch generator.below(12) {
      case 0: return .lazy(node)
      case 1: return .factory(node)
      case 2: return .perUse(node)
      case 3: return .fresh(node)
      // Within an override scope of the captured pod itself, that pod acts as the scope says.
      case 4: return hasScopes ? .direct(node) : .captured(node)
      default: return .direct(node)
      }
    }
    var changes: [Int: AnswerDefinition] = [:]
    for index in 0..<generator.below(3) {
      let changed = generator.below(limit)
      let label = "i\(depth)\(index)\(generator.below(1_000))"
      changes[changed] = .random(changed, label: label, isOverride: true, depth: depth + 1, hasScopes: hasScopes, &generator)
    }
    return .inner(
      isOverrideScope: hasScopes && generator.chance(40), isOwner: generator.chance(30), isKept: generator.chance(20), changes,
      .random(below: limit, depth: depth + 1, hasScopes: hasScopes, &generator))
  }
}
