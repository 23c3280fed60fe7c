import Peapod

/// The library itself, doing the operations that the model foretells; see `ReferenceModel`.
@MainActor
final class Subject {
  private let workshop: Workshop
  private let pods: [Pod]

  init(_ world: World) {
    let workshop = Workshop(world)
    self.workshop = workshop
    pods = (0..<world.podCount).map { Pod("\($0)") }
    let declared = world.nodes.indices.map { index in
      let node = world.nodes[index]
      return DeclaredNode(node, name: "\(index)", scope: node.scope.scope) { pod, argument in
        try workshop.build(Member(node: index, argument: argument), node.recipe, with: pod)
      } onDispose: { instance in
        workshop.events.append(.disposed(serial: instance.serial))
      }
    }
    workshop.declared.withLock { $0 = declared }
  }

  /// Lets go of the providers, whose builders hold what holds them.
  func end() {
    workshop.declared.withLock { $0 = [] }
  }

  func perform(_ operation: Operation) -> Outcome {
    let answer = answer(to: operation.action, in: pods[operation.pod])
    return Outcome(answer: answer, events: workshop.events.drain(), liveCount: workshop.population.live)
  }

  private func answer(to action: Action, in pod: Pod) -> Outcome.Answer {
    let workshop = workshop
    switch action {
    case .resolve(let member): return answer { try pod.attempt(workshop.provider(member)).serial }
    case .withResolved(let member):
      return answer {
        guard case .plain(let provider) = workshop.provider(member) else {
          return try pod.attempt(workshop.provider(member)).serial
        }
        return pod.withResolved(provider) { $0.serial }
      }
    case .isCached(let member): return .cached(pod.isCached(workshop.provider(member)))
    case .override(let member, let recipe, let scope):
      let build: @Sendable (Pod) throws -> Tracked = { pod in try workshop.build(member, recipe, with: pod) }
      pod.overrideProvider(workshop.provider(member), scope: scope?.scope, attempting: build)
    case .overrideWithValue(let member):
      pod.overrideProvider(workshop.provider(member), withValue: workshop.population.make())
    case .overrideFamily(let node, let recipe):
      pod.overrideFamily(workshop.node(node)) { pod, argument in
        try workshop.build(Member(node: node, argument: argument), recipe, with: pod)
      }
    case .removeOverride(let member): pod.removeOverrideProvider(workshop.provider(member))
    case .removeFamilyOverride(let node): pod.removeFamilyOverride(workshop.node(node))
    case .removeAllOverrides: pod.removeAllOverrides()
    case .clearScope(let scope): pod.clearCachedInstances(forScope: scope.scope)
    case .clearInstance(let member): pod.clearCachedInstance(of: workshop.provider(member))
    case .clearFamily(let node): pod.clearFamily(workshop.node(node))
    case .dispose:
      pod.dispose()
      pod.removeAllOverrides()
    case .failNextBuild(let node): workshop.plannedFailures.withLock { $0[node, default: 0] += 1 }
    }
    return .none
  }

  private func answer(_ resolve: () throws -> Int) -> Outcome.Answer {
    do {
      return .instance(serial: try resolve())
    } catch let error as Workshop.PlannedFailure {
      return .failure(node: error.node)
    } catch {
      fatalError("no builder of the model throws \(error)")
    }
  }
}
