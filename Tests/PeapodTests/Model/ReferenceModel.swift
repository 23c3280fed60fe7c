/// Foretells, from the rules alone, what each operation answers, and which builders and hooks it calls in which order.
struct ReferenceModel {
  private struct PlannedFailure: Error {
    var node: Int
  }

  private let world: World
  private var pods: [ReferencePod]
  private var lastSerial = 0
  private var lastOverride = 0
  private var plannedFailures: [Int: Int] = [:]
  private var events: [Outcome.Event] = []

  init(_ world: World) {
    self.world = world
    pods = Array(repeating: ReferencePod(), count: world.podCount)
  }

  mutating func perform(_ operation: Operation) -> Outcome {
    let answer = answer(to: operation.action, in: operation.pod)
    defer { events = [] }
    let liveCount = pods.reduce(0) { $0 + $1.keptCount + $1.valueCount }
    return Outcome(answer: answer, events: events, liveCount: liveCount)
  }

  private mutating func answer(to action: Action, in pod: Int) -> Outcome.Answer {
    switch action {
    case .resolve(let member), .withResolved(let member): return resolve(member, in: pod)
    case .isCached(let member): return isCached(member, in: pod)
    case .override(let member, let recipe, let scope):
      lastOverride += 1
      let content = ReferencePod.Content.recipe(recipe, scope ?? world.nodes[member.node].scope)
      dispose(pods[pod].setOverride(of: member, .init(id: lastOverride, content: content)))
    case .overrideWithValue(let member):
      lastOverride += 1
      lastSerial += 1
      let content = ReferencePod.Content.value(serial: lastSerial)
      dispose(pods[pod].setOverride(of: member, .init(id: lastOverride, content: content)))
    case .overrideFamily(let node, let recipe):
      lastOverride += 1
      dispose(pods[pod].setOverride(ofFamily: node, (id: lastOverride, recipe: recipe)))
    case .removeOverride(let member): dispose(pods[pod].setOverride(of: member, nil))
    case .removeFamilyOverride(let node): dispose(pods[pod].setOverride(ofFamily: node, nil))
    case .removeAllOverrides: dispose(pods[pod].removeAllOverrides())
    case .clearScope(let scope): dispose(pods[pod].letGo { scope.cleared.contains($1.scope) })
    case .clearInstance(let member): dispose(pods[pod].letGo { owner, _ in owner == member })
    case .clearFamily(let node): dispose(pods[pod].letGo { owner, _ in owner.node == node })
    case .dispose:
      dispose(pods[pod].letGo { _, _ in true })
      _ = pods[pod].removeAllOverrides()
    case .failNextBuild(let node): plannedFailures[node, default: 0] += 1
    }
    return .none
  }

  private mutating func dispose(_ instances: [ReferencePod.Kept]) {
    for instance in instances where instance.hasHook { events.append(.disposed(serial: instance.serial)) }
  }
}

// MARK: - Resolving

extension ReferenceModel {
  private mutating func resolve(_ member: Member, in pod: Int) -> Outcome.Answer {
    var choices: [ReferencePod.Choice: Int] = [:]
    do {
      return .instance(serial: try ask(for: member, beneath: 0, in: pod, noting: &choices))
    } catch {
      return .failure(node: error.node)
    }
  }

  private func isCached(_ member: Member, in pod: Int) -> Outcome.Answer {
    guard let layer = pods[pod].layer(of: member, beneath: 0, in: world), case .recipe = layer.content else {
      return .unspecified
    }
    return .cached(pods[pod].keptInstance(of: member, layer: layer.id, in: world) != nil)
  }

  /// Answers a request, by a builder or from outside, and notes the choices that the answer rests on.
  private mutating func ask(
    for member: Member, beneath: Int, in pod: Int, noting choices: inout [ReferencePod.Choice: Int]
  ) throws(PlannedFailure) -> Int {
    guard let layer = pods[pod].layer(of: member, beneath: beneath, in: world) else {
      fatalError("an override asks beneath itself only while it is there")
    }
    choices[.init(member: member, beneath: beneath)] = layer.id
    switch layer.content {
    case .value(let serial): return serial
    case .recipe(let recipe, let scope):
      if let instance = pods[pod].keptInstance(of: member, layer: layer.id, in: world) {
        choices.merge(instance.choices) { former, _ in former }
        return instance.serial
      }
      var noted: [ReferencePod.Choice: Int] = [:]
      defer { choices.merge(noted) { former, _ in former } }
      let serial = try build(member, recipe, layer: layer.id, in: pod, noting: &noted)
      if scope != .alwaysCreateNew {
        let hasHook = world.nodes[member.node].hasHook
        pods[pod].kept[member, default: []].append(
          .init(serial: serial, layer: layer.id, scope: scope, hasHook: hasHook, choices: noted))
      }
      return serial
    }
  }

  /// Does what a builder of the test does; see `Subject`.
  private mutating func build(
    _ member: Member, _ recipe: Recipe, layer: Int, in pod: Int, noting choices: inout [ReferencePod.Choice: Int]
  ) throws(PlannedFailure) -> Int {
    var parts: [Int] = []
    var failure: PlannedFailure?
    for ask in recipe.asks {
      let target = ask.target(for: member, in: world)
      do {
        parts.append(try self.ask(for: target, beneath: target == member ? layer : 0, in: pod, noting: &choices))
      } catch {
        parts.append(0)
        failure = failure ?? error
      }
    }
    if world.nodes[member.node].kind == .throwing {
      if failure == nil, let planned = plannedFailures[member.node], planned > 0 {
        plannedFailures[member.node] = planned - 1
        failure = PlannedFailure(node: member.node)
      }
      if let failure {
        events.append(.failed(member))
        throw failure
      }
    }
    lastSerial += 1
    events.append(.built(serial: lastSerial, member, parts: parts))
    return lastSerial
  }
}
