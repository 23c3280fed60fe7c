import Peapod

/// Declarations whose answers can be foretold from the overrides of the pods alone, whatever is cached where.
final class AnswerWorld: Sendable {
  struct OwnedScope: ProviderScope {}

  typealias Family = ProviderFamily<Provider<Answer>, Int>

  let root = Pod("root")
  let other = Pod("other")
  /// Inner children that builders keep.
  let kept = Locked<[Pod]>([])
  private let declared: [AnswerDefinition]
  private let providers = Locked<[@Sendable () -> Provider<Answer>]>([])
  /// The families, by their first members.
  private let families = Locked<[Int: Family]>([:])

  init(_ program: AnswerProgram) {
    declared = program.nodes.map(\.definition)
    for (number, node) in program.nodes.enumerated() where program.family(of: number) ?? number == number {
      declare(number, isFamily: node.beginsFamily, scope: node.scope)
    }
  }

  private func declare(_ node: Int, isFamily: Bool, scope: some ProviderScope) {
    guard isFamily else {
      let provider = Provider("\(node)", scope: scope) { [unowned self] pod in build(declared[node], node, pod) }
      return providers.withLock { $0.append { provider } }
    }
    let family = Provider.family("family", scope: scope) { [unowned self] (pod, member: Int) in
      build(declared[member], member, pod)
    }
    families.withLock { $0[node] = family }
    for member in [node, node + 1] { providers.withLock { $0.append { family(member) } } }
  }

  func provider(_ node: Int) -> Provider<Answer> { providers.withLock { $0[node] }() }

  /// The family with a first member.
  func family(_ first: Int) -> Family { families.withLock { $0[first]! } }

  func pod(_ tree: AnswerTree) -> Pod {
    switch tree {
    case .main: root
    case .other: other
    }
  }

  // MARK: - What the library does

  func override(_ node: Int, by definition: AnswerDefinition, in pod: Pod) {
    switch definition {
    case .value: pod.overrideProvider(provider(node), withValue: Answer(definition.text(node, [])))
    case .builder: pod.overrideProvider(provider(node)) { [unowned self] in build(definition, node, $0) }
    }
  }

  /// Overrides a family, whose members then have the given definitions.
  func override(family: Int, by definitions: [Int: AnswerDefinition], in pod: Pod) {
    pod.overrideProvider(self.family(family)) { [unowned self] pod, member in build(definitions[member]!, member, pod) }
  }

  private func build(_ definition: AnswerDefinition, _ node: Int, _ pod: Pod) -> Answer {
    guard case .builder(_, let asks, let deferred) = definition else { return Answer(definition.text(node, [])) }
    let parts = asks.map { ask($0, node, pod).text }
    let handles = deferred.map { deferred -> @Sendable () -> Answer in
      guard deferred.isLazy else { return pod.factory(provider(deferred.node)) }
      let lazy = pod.lazy(provider(deferred.node))
      return { lazy.value }
    }
    return Answer(definition.text(node, parts), deferred: handles)
  }

  private func ask(_ ask: AnswerAsk, _ node: Int, _ pod: Pod) -> Answer {
    switch ask {
    case .direct(let next): return pod.resolve(provider(next))
    case .itself: return pod.resolve(provider(node))
    case .lazy(let next): return pod.lazy(provider(next)).value
    case .factory(let next): return pod.factory(provider(next))()
    case .perUse(let next): return pod.perUse(provider(next)).use { $0 }
    case .fresh(let next): return pod.withFreshInstance(of: provider(next)) { $0 }
    case .captured(let next, let tree): return self.pod(tree).resolve(provider(next))
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
}
