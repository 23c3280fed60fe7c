import Peapod

/// The library itself, doing what the model foretells; see `ReferenceModel`.
@MainActor
final class Subject {
  let workshop: Workshop
  private(set) var pods: [Pod?]
  private var hands: [Product?]
  private var tasks: [Int: Task<Void, Never>] = [:]

  init(_ world: World) {
    let workshop = Workshop(world)
    self.workshop = workshop
    pods = Array(repeating: nil, count: Operation.children.upperBound)
    hands = Array(repeating: nil, count: Operation.hands)
    for root in Operation.roots { pods[root] = Pod("\(root)") }
    let other = pods[1]
    let declared = world.nodes.indices.map { index in
      let node = world.nodes[index]
      // A session is on the main actor, so that only where there are tasks something may be disposed off it.
      let isStarted = node.kind == .mainActor && world.flavour.hasAsync
      return DeclaredNode(
        node, name: "\(index)", scope: node.scope.scope, workshop.builder(index, node.recipe, definition: 0),
        onDispose: { workshop.dispose($0, isStarted: isStarted) }, onAsyncDispose: { await workshop.disposeAsync($0) })
    }
    workshop.ledger.withLock {
      $0.declared = declared
      $0.other = other
    }
  }

  // MARK: - Steps without a body and without tasks

  func perform(_ action: Action, in variable: Int) -> Outcome.Answer {
    guard let pod = pods[variable] else { return .none }
    switch action {
    case .resolve(let member, .perUse, _):
      guard let provider = workshop.member(member).plain else { return .none }
      return .instance(serial: pod.perUse(provider).use { $0.serial })
    case .resolve(let member, let way, let hand):
      return answer {
        let product = try workshop.member(member).resolve(in: pod, way)
        if let hand { hands[hand] = product }
        return product.serial
      }
    case .useHandles(let member): return useHandles(of: member, in: pod)
    case .look(let member):
      let provider = workshop.member(member)
      return .look(isCached: pod.isCached(provider.any), serial: pod.cachedSerial(of: provider))
    case .withFreshInstance(let member, let isThrowing): return use(member, in: pod, isThrowing)
    case .change(let change): apply(change, to: pod)
    case .removeOverride(let member): pod.removeOverrideProvider(workshop.member(member).any)
    case .removeFamilyOverride(let node): pod.removeFamilyOverride(workshop.node(node))
    case .removeAllOverrides: pod.removeAllOverrides()
    case .clearScope(let scope, _): pod.clearCachedInstances(forScope: scope.scope)
    case .clearInstance(let member): pod.clearCachedInstance(of: workshop.member(member).any)
    case .clearFamily(let node): pod.clearFamily(workshop.node(node))
    case .dispose: pod.dispose()
    case .makeChild(let variable, let owning, let changes):
      pods[variable] = pod.makeChild("\(variable)", owning: owning.map(\.scope)) { child in
        for change in changes { apply(change, to: child) }
      }
    case .forgetPod: if Operation.children.contains(variable) { pods[variable] = nil }
    case .forgetInstance(let hand): hands[hand] = nil
    case .failNextBuild(let node): workshop.ledger.withLock { $0.plannedFailures[node, default: 0] += 1 }
    case .begin, .step, .cancel, .withChild, .withOverrides: fatalError("a step of the runner")
    }
    return .none
  }

  private func useHandles(of member: Member, in pod: Pod) -> Outcome.Answer {
    do {
      let product = try workshop.member(member).resolve(in: pod)
      return .handles(of: product.serial, product.handles.map(\.value.serial))
    } catch {
      return answer { throw error }
    }
  }

  /// Uses the handles of an instance that is alive.
  func useHandles(of serial: Int) -> [Int]? {
    workshop.ledger.withLock { $0.live[serial]?.product }?.handles.map(\.value.serial)
  }

  private func use(_ member: Member, in pod: Pod, _ isThrowing: Bool) -> Outcome.Answer {
    guard let provider = workshop.member(member).plain else { return .none }
    guard isThrowing else { return .instance(serial: pod.withFreshInstance(of: provider) { $0.serial }) }
    do throws(Seen) {
      try pod.withFreshInstance(of: provider) { (product) throws(Seen) in throw Seen(serial: product.serial) }
    } catch {
      return .instance(serial: error.serial)
    }
    return .none
  }

  /// Thrown by the users of instances.
  private struct Seen: Error { var serial: Int }

  private func answer(_ resolve: () throws -> Int) -> Outcome.Answer {
    do { return .instance(serial: try resolve()) } catch { return .failure(Outcome.Failure(error)) }
  }

  func apply(_ change: Change, to pod: Pod) { workshop.apply(change, to: pod) }

  func set(_ variable: Int, _ pod: Pod?) { pods[variable] = pod }
}

extension Outcome.Failure {
  init(_ error: any Error) {
    switch error {
    case let error as Workshop.PlannedFailure: self = .planned(node: error.node)
    case is CancellationError: self = .cancelled
    default: fatalError("no builder of the model throws \(error)")
    }
  }
}

// MARK: - Tasks

extension Subject {
  /// Starts a task that resolves; waits for it if it is to be answered at once.
  func begin(_ member: Member, in variable: Int, caller: Int, _ action: Action, isReady: Bool) async {
    guard let pod = pods[variable], case .async(let provider) = workshop.member(member) else { return }
    let resolve: @MainActor () async -> Void = { [self] in
      await Workshop.$path.withValue("\(caller)") {
        let answer: Outcome.Answer
        workshop.ledger.withLock { $0.begun += 1 }
        do {
          switch action {
          case .withFreshInstance(_, let isThrowing):
            let serial = try await pod.withFreshInstance(of: provider) { product in
              if isThrowing { throw Seen(serial: product.serial) }
              return product.serial
            }
            answer = .instance(serial: serial)
          case .resolve(_, let way, let hand):
            let product = try await way == .factory ? pod.factory(provider)() : pod.resolve(provider)
            if let hand { hands[hand] = product }
            answer = .instance(serial: product.serial)
          default: answer = .instance(serial: try await pod.resolve(provider).serial)
          }
        } catch let seen as Seen {
          answer = .instance(serial: seen.serial)
        } catch {
          answer = .failure(Outcome.Failure(error))
        }
        workshop.ledger.withLock { $0.answers[caller] = answer }
      }
    }
    guard isReady else {
      workshop.ledger.withLock { $0.running += 1 }
      tasks[caller] = Task {
        await resolve()
        workshop.ledger.withLock { $0.running -= 1 }
      }
      return
    }
    // Where it builds all the same, it shall not wait for a gate that no one opens.
    workshop.ledger.withLock { $0.areGatesOpen = true }
    await resolve()
    workshop.ledger.withLock { $0.areGatesOpen = false }
  }

  func cancel(_ caller: Int) { tasks[caller]?.cancel() }

  func performAwaited(_ action: Action, in variable: Int) async {
    switch action {
    case .clearScope(let scope, _): await pods[variable]?.shutdown(scope: scope.scope)
    default: await pods[variable]?.shutdown()
    }
  }

  /// Lets go of all instances and pods.
  func forgetAll() {
    let other = workshop.ledger.withLock { ledger in
      defer { ledger.other = nil }
      return ledger.other
    }
    withExtendedLifetime(other) {}
    hands = hands.map { _ in nil }
    for variable in pods.indices.reversed() { pods[variable] = nil }
  }

  /// Leaves nothing running behind, and lets go of the providers, whose builders hold what holds them.
  func end() async {
    workshop.openAll()
    for task in tasks.values { task.cancel() }
    for task in tasks.values { await task.value }
    while workshop.ledger.withLock({ $0.builders > 0 }) { await Task.yield() }
    forgetAll()
    let declared = workshop.ledger.withLock { ledger in
      defer { ledger.declared = [] }
      return ledger.declared
    }
    withExtendedLifetime(declared) {}
  }
}
