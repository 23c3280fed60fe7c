import Peapod

/// Declarations whose answers can be foretold from the overrides of the pods alone, whatever is cached where.
final class AnswerWorld: Sendable {
  struct OwnedScope: ProviderScope {}
  /// A scope of no node, whose owner is a pod of its own, whatever else it changes.
  struct NoScope: ProviderScope {}

  let root = Pod("root")
  let other = Pod("other")
  /// Inner children that builders keep.
  private let kept = Locked<[Pod]>([])
  /// The gate of the race that is played.
  let gate = Locked<AnswerGate?>(nil)
  private let declared: [AnswerDefinition]
  let hasCurrent: Bool
  private let providers = Locked<[@Sendable () -> AnswerProvider]>([])
  /// The families, by their first members.
  private let families = Locked<[Int: AnswerFamily]>([:])

  init(_ program: AnswerProgram) {
    declared = program.nodes.map(\.definition)
    hasCurrent = program.contents.hasCurrent
    for (number, node) in program.nodes.enumerated() where program.family(of: number) ?? number == number {
      declare(number, node, scope: node.scope)
    }
  }

  private func declare(_ number: Int, _ node: AnswerProgram.Node, scope: some ProviderScope) {
    guard node.beginsFamily else {
      let provider =
        node.isAsync
        ? AnswerProvider.async(
          AsyncProvider("\(number)", scope: scope) { [weak self] in
            try await existing(self).build(existing(self).declared[number], number, $0)
          })
        : .sync(Provider("\(number)", scope: scope) { [unowned self] in build(declared[number], number, $0) })
      return providers.withLock { $0.append { provider } }
    }
    let family =
      node.isAsync
      ? AnswerFamily.async(
        AsyncProvider.family("family", scope: scope) { [weak self] (pod, member: Int) in
          try await existing(self).build(existing(self).declared[member], member, pod)
        })
      : .sync(
        Provider.family("family", scope: scope) { [unowned self] (pod, member: Int) in
          build(declared[member], member, pod)
        })
    families.withLock { $0[number] = family }
    for member in [number, number + 1] { providers.withLock { $0.append { family.member(member) } } }
  }

  func provider(_ node: Int) -> AnswerProvider { providers.withLock { $0[node] }() }

  /// The family with a first member.
  func family(_ first: Int) -> AnswerFamily { families.withLock { $0[first]! } }

  func pod(_ tree: AnswerTree) -> Pod {
    switch tree {
    case .main: root
    case .other: other
    }
  }

  /// The scopes of a child: where builders use `Pod.current`, they must be built for the very child that they use.
  func owned(_ isOwner: Bool) -> [any ProviderScope] {
    (isOwner ? [OwnedScope()] : []) + (hasCurrent ? [NoScope()] : [])
  }

  // MARK: - What the library does

  func override(_ node: Int, by definition: AnswerDefinition, in pod: Pod) {
    switch (provider(node), definition) {
    case (.sync(let provider), .value): pod.overrideProvider(provider, withValue: Answer(definition.text(node, [])))
    case (.sync(let provider), .builder):
      pod.overrideProvider(provider) { [unowned self] in build(definition, node, $0) }
    case (.async(let provider), .value): pod.overrideProvider(provider, withValue: Answer(definition.text(node, [])))
    case (.async(let provider), .builder):
      pod.overrideProvider(provider) { [weak self] in try await existing(self).build(definition, node, $0) }
    }
  }

  /// Overrides a family, whose members then have the given definitions.
  func override(family: Int, by definitions: [Int: AnswerDefinition], in pod: Pod) {
    switch self.family(family) {
    case .sync(let family):
      pod.overrideProvider(family) { [unowned self] pod, member in build(definitions[member]!, member, pod) }
    case .async(let family):
      pod.overrideProvider(family) { [weak self] pod, member in
        try await existing(self).build(definitions[member]!, member, pod)
      }
    }
  }

  private func build(_ definition: AnswerDefinition, _ node: Int, _ pod: Pod) -> Answer {
    guard case .builder(_, let asks, let deferred) = definition else { return Answer(definition.text(node, [])) }
    return answer(definition, node, asks, asks.map { ask($0, node, pod) }, deferred, pod)
  }

  /// The answer of a builder that has made its requests.
  func answer(
    _ definition: AnswerDefinition, _ node: Int, _ asks: [AnswerAsk], _ answers: [Answer],
    _ deferred: [AnswerDeferred], _ pod: Pod
  ) -> Answer {
    let handles = deferred.map { deferred -> @Sendable () -> Answer in
      let provider = provider(deferred.node).sync
      guard deferred.isLazy else { return pod.factory(provider) }
      let lazy = pod.lazy(provider)
      return { lazy.value }
    }
    let parts = zip(asks, answers).compactMap { ask, answer in ask.part.map { (node: $0, answer: answer) } }
    return Answer(definition.text(node, answers.map(\.text)), parts: parts, deferred: handles)
  }

  /// The request of a builder for a synchronous node.
  func ask(_ ask: AnswerAsk, _ node: Int, _ pod: Pod) -> Answer {
    func provider(_ node: Int) -> Provider<Answer> { self.provider(node).sync }
    switch ask {
    case .direct(let next): return pod.resolve(provider(next))
    case .itself: return pod.resolve(provider(node))
    case .lazy(let next): return pod.lazy(provider(next)).value
    case .factory(let next): return pod.factory(provider(next))()
    case .perUse(let next): return pod.perUse(provider(next)).use { $0 }
    case .fresh(let next): return pod.withFreshInstance(of: provider(next)) { $0 }
    case .cached(let next): return pod.cachedInstance(of: provider(next)) ?? pod.resolve(provider(next))
    case .injected(let next): return Injected(provider(next)).wrappedValue
    case .current(let next): return Pod.current.resolve(provider(next))
    case .captured(let next, let tree): return self.pod(tree).resolve(provider(next))
    case .inner(let isOverrideScope, let isOwner, let isKept, let changes, let next):
      let configure = configure(changes)
      if isOverrideScope { return pod.withOverrides(configure) { self.ask(next, node, pod) } }
      guard isKept else {
        return pod.withChild("inner", owning: owned(isOwner), configure: configure) { self.ask(next, node, $0) }
      }
      return self.ask(next, node, keep(pod.makeChild("inner", owning: owned(isOwner), configure: configure)))
    }
  }

  func configure(_ changes: [Int: AnswerDefinition]) -> (Pod) -> Void {
    { inner in for (node, change) in changes { self.override(node, by: change, in: inner) } }
  }

  func keep(_ child: Pod) -> Pod {
    kept.withLock { $0.append(child) }
    return child
  }

  // MARK: - Tasks

  /// Begins a request in a task, outside of builders.
  func begin(_ node: Int, in pod: Pod, _ gate: AnswerGate? = nil) -> AnswerRequest {
    Pod.$current.withValue(hasCurrent ? pod : .current) {
      AnswerGate.$place.withValue(gate.map { _ in [] }) {
        AnswerRequest {
          defer { gate?.end() }
          return try await self.provider(node).resolve(in: pod)
        }
      }
    }
  }
}

/// The world of an async builder, which may begin after the end of a program if no caller waits for it.
private func existing(_ world: AnswerWorld?) throws -> AnswerWorld {
  guard let world else { throw CancellationError() }
  return world
}
