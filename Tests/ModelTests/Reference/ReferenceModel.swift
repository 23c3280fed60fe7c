/// Foretells, from the rules alone, what each step answers, and which builders and hooks it calls in which order.
///
/// A member is answered by the uppermost of its *definitions* as seen from a pod: the pod's own override of the member, else
/// of its family, else those of the pod above, at last the declaration. Each instance remembers every such choice that it was
/// built on, directly or not. It is the right answer wherever all of them would be the same, lives in the outermost pod where
/// that is so (rule 19), is set aside while one of them is different (rule 15), and has ended when one of them was for an
/// override that is gone (rule 16).
///
/// Everything is plain and slow: no table is kept that could be computed.
struct ReferenceModel {
  let world: World
  var pods: [Int: ReferencePod] = [:]
  /// Pods that are gone: what an instance stored of one, a handle too, still holds its overrides.
  var gonePods: [Int: ReferencePod] = [:]
  /// The inner pods that builders made: the pods of which, and whether they are blocks.
  var innerPods: [Int: (outer: Int, isBlock: Bool)] = [:]
  /// The pods of which blocks have copies, and the overrides.
  var copiedPods: [Int: Int] = [:]
  var copiedOverrides: [Int: Int] = [:]
  /// The pods that stand in for others, within blocks.
  var acting: [Int: Int] = [:]
  /// What lazies gave within blocks, by the block's pod, and the holder and the number of the handle.
  var lazyValues: [Int: [[Int]: Int]] = [:]
  var variables: [Int?]
  /// Pods that are at work: those of running blocks, which the program may forget meanwhile.
  var pinned: [Int] = []
  var hands: [Int?]
  /// All that is alive or kept, by number.
  var instances: [Int: ReferenceInstance] = [:]
  /// What pods keep: weak instances too, for as long as they live.
  var kept: Set<Int> = []
  /// All that was ever built.
  var remembered: [Int: ReferenceInstance] = [:]
  var builds: [Int: ReferenceBuild] = [:]
  /// The tasks that were begun: for which pod, and which variable keeps what they get.
  var callers: [(view: Int, hand: Int?)] = []
  var answers: [Int: Outcome.Answer] = [:]
  var plannedFailures: [Int: Int] = [:]
  /// Holders whose handles were never used.
  var untouched: [Int] = []
  var events: [Outcome.Event] = []
  /// Pairs of instances of which the first one's hook ends before the second one's begins.
  var hookOrder: [(dependent: Int, dependency: Int)] = []
  /// Those whose hooks were called in this step, for `hookOrder`.
  var dying: [Int: ReferenceInstance] = [:]
  var lastSerial = 0
  var lastOverride = 0
  var lastChange = 0
  var lastPod = 0
  var lastBuild = 0
  /// How often a way from a caller led to a new build.
  var paths: [String: Int] = [:]

  init(_ world: World) {
    self.world = world
    variables = Array(repeating: nil, count: Operation.children.upperBound)
    hands = Array(repeating: nil, count: Operation.hands)
    for root in Operation.roots { variables[root] = addPod(ReferencePod()) }
  }

  mutating func addPod(_ pod: ReferencePod) -> Int {
    lastPod += 1
    pods[lastPod] = pod
    return lastPod
  }

  /// The pod in a variable, or the one that stands in for it.
  func pod(_ variable: Int) -> Int? { variables[variable].map { acting[$0] ?? $0 } }

  /// The async builders that wait at their gates, by the names of their gates.
  var gated: [(path: String, build: Int)] {
    builds.filter(\.value.isAtGate).map { (path: $0.value.path, build: $0.key) }.sorted { $0.path < $1.path }
  }

  /// The tasks that have no answer yet.
  var waiting: [Int] { callers.indices.filter { answers[$0] == nil } }

  /// Whether a step may have to do with tasks, so that it is compared when they have come to rest.
  var isAsync: Bool { !builds.isEmpty || hasStartedHooks }

  /// Whether async hooks were started in this step, which hold what they dispose until they have ended.
  var hasStartedHooks: Bool { dying.values.contains { $0.hasHook && world.nodes[$0.member.node].kind == .async } }

  /// Returns what was done since the last time, and what is there.
  mutating func takeOutcome(_ answer: Outcome.Answer) -> Outcome {
    let alive = alive()
    kept = kept.filter { alive.contains($0) }
    instances = instances.filter { alive.contains($0.key) }
    defer { (events, dying, hookOrder) = ([], [:], []) }
    return Outcome(
      answer: answer, events: events, answers: answers, gates: Set(gated.map(\.path)), liveCount: alive.count,
      begun: callers.count, tasks: waiting.count)
  }
}

// MARK: - Steps without a body and without tasks

extension ReferenceModel {
  mutating func perform(_ action: Action, in pod: Int, variable: Int) -> Outcome.Answer {
    switch action {
    case .resolve(let member, .perUse, _): return use(member, in: pod)
    case .resolve(let member, _, let hand):
      let answer = resolve(member, in: pod)
      if let hand, case .instance(let serial) = answer { hands[hand] = serial }
      return answer
    case .useHandles(let member):
      let answer = resolve(member, in: pod)
      guard case .instance(let serial) = answer else { return answer }
      return .handles(of: serial, useHandles(of: serial))
    case .look(let member): return look(member, in: pod)
    case .withFreshInstance(let member, _): return use(member, in: pod)
    case .change(let change): apply(change, to: pod)
    case .removeOverride(let member):
      removeOverrides(in: pod) {
        $0.memberOverrides[member]?.isEmpty == false ? [$0.memberOverrides[member]!.removeFirst()] : []
      }
    case .removeFamilyOverride(let node):
      removeOverrides(in: pod) {
        $0.familyOverrides[node]?.isEmpty == false ? [$0.familyOverrides[node]!.removeFirst()] : []
      }
    case .removeAllOverrides:
      removeOverrides(in: pod) { pod in
        defer { (pod.memberOverrides, pod.familyOverrides) = ([:], [:]) }
        return pod.layers
      }
    case .clearScope(let scope, _): clear(scope, from: pod)
    case .clearInstance(let member): clear([member], from: pod)
    case .clearFamily(let node): clear((0..<World.argumentCount).map { Member(node: node, argument: $0) }, from: pod)
    case .dispose: dispose(pod)
    case .makeChild(let variable, let owning, let changes):
      variables[variable] = makeChild(of: pod, owning: owning, changes)
      collectPods()
    case .forgetPod:
      if Operation.children.contains(variable) { variables[variable] = nil }
      collectPods()
    case .forgetInstance(let hand): hands[hand] = nil
    case .failNextBuild(let node): plannedFailures[node, default: 0] += 1
    case .begin, .step, .cancel, .withChild, .withOverrides: fatalError("a step of the runner")
    }
    return .none
  }

  private mutating func resolve(_ member: Member, in pod: Int) -> Outcome.Answer {
    switch request(member, beneath: 0, from: pod, by: nil) {
    case .ready(let serial, _): return .instance(serial: serial)
    case .failed(let failure, _, _): return .failure(failure)
    case .waiting: fatalError("async providers are resolved by tasks")
    }
  }

  /// A fresh instance for one use (rule 25).
  private mutating func use(_ member: Member, in pod: Int) -> Outcome.Answer {
    switch request(member, beneath: 0, from: pod, by: nil, isIsolated: true) {
    case .ready(let serial, _):
      endUse(of: serial)
      return .instance(serial: serial)
    case .failed(let failure, _, _): return .failure(failure)
    case .waiting: fatalError("async providers are resolved by tasks")
    }
  }

  private func look(_ member: Member, in pod: Int) -> Outcome.Answer {
    let definition = definition(of: member, beneath: 0, from: pod)
    guard case .builder = definition.content else { return .unspecified }
    let found = keptInstance(of: member, definition, from: pod)
    let hasValue = [.plain, .async].contains(world.nodes[member.node].kind)
    return .look(isCached: found != nil, serial: hasValue ? found?.serial : nil)
  }

  /// Uses all handles of a holder: a lazy keeps what it gave, a factory asks each time (rules 23 and 24).
  ///
  /// In a block on the pod that the holder lives in, a lazy keeps for the block what it gave there (rule 18).
  mutating func useHandles(of holder: Int) -> [Int] {
    guard let instance = instances[holder] else { return [] }
    let block = acting[instance.home]
    let pod = block ?? instance.home
    return instance.handles.indices.map { index in
      let handle = instance.handles[index]
      if handle.isLazy, let block {
        let place = [holder, index]
        if let value = lazyValues[block]?[place] { return value }
        guard case .instance(let serial) = resolve(handle.target, in: pod) else { return 0 }
        lazyValues[block, default: [:]][place] = serial
        return serial
      }
      if handle.isLazy, let value = handle.value { return value }
      guard case .instance(let serial) = resolve(handle.target, in: pod) else { return 0 }
      if handle.value == nil {
        instances[holder]?.handles[index].value = serial
        remembered[holder]?.handles[index].value = serial
      }
      return serial
    }
  }
}
