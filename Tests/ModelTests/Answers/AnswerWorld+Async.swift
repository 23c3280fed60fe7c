import Peapod

/// The async builders: the same requests as those of synchronous ones, with a gate between them.
extension AnswerWorld {
  func build(_ definition: AnswerDefinition, _ node: Int, _ pod: Pod) async throws -> Answer {
    guard case .builder(_, let asks, let deferred) = definition else { return Answer(definition.text(node, [])) }
    let place = AnswerGate.place
    func pass(_ number: Int) async {
      if let place { await gate.withLock { $0 }?.pass(at: place + [number]) }
    }
    var answers: [Answer] = []
    for (number, ask) in asks.enumerated() {
      // What an override is beneath it depends on the overrides that there were when the override was chosen.
      if case .itself = ask {} else { await pass(number) }
      answers.append(
        try await AnswerGate.$place.withValue(place.map { $0 + [number] }) {
          try await self.ask(ask, node, pod, given: pod)
        })
    }
    await pass(asks.count)
    return answer(definition, node, asks, answers, deferred, pod)
  }

  private func ask(_ ask: AnswerAsk, _ node: Int, _ pod: Pod, given: Pod) async throws -> Answer {
    switch ask {
    case .itself: return try await provider(node).resolve(in: pod)
    case .inner(let isOverrideScope, let isOwner, let isKept, let changes, let next):
      let configure = configure(changes)
      if isOverrideScope {
        return try await pod.withOverrides(configure) { try await self.ask(next, node, pod, given: given) }
      }
      guard isKept else {
        return try await pod.withChild("inner", owning: owned(isOwner), configure: configure) {
          try await self.ask(next, node, $0, given: given)
        }
      }
      let child = keep(pod.makeChild("inner", owning: owned(isOwner), configure: configure))
      return try await self.ask(next, node, child, given: given)
    case .direct(let next), .lazy(let next), .factory(let next), .perUse(let next), .fresh(let next), .cached(let next),
      .current(let next), .injected(let next), .captured(let next, _):
      guard case .async(let provider) = provider(next) else { return self.ask(ask, node, pod) }
      switch ask {
      case .lazy, .factory: return try await pod.factory(provider)()
      case .perUse, .fresh: return try await pod.withFreshInstance(of: provider) { $0 }
      case .cached:
        if let cached = pod.cachedInstance(of: provider) { return cached }
        return try await pod.resolve(provider)
      case .current: return try await Pod.current.resolve(provider)
      // `Injected` takes no async provider.
      case .injected: return try await given.resolve(provider)
      case .captured(_, let tree): return try await self.pod(tree).resolve(provider)
      default: return try await pod.resolve(provider)
      }
    }
  }
}
