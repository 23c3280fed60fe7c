import Peapod

/// A program, played by the model and the library side by side.
@MainActor
final class Session {
  private let world: World
  var model: ReferenceModel
  let subject: Subject
  let patience: Duration
  /// The program as Swift source.
  var script: Script
  /// The first step at which the library did something else than the model foretold.
  var mismatch: String?

  /// `patience`: how long the library has to come to rest where the model is.
  init(_ world: World, patience: Duration) {
    self.world = world
    self.patience = patience
    script = Script(world)
    model = ReferenceModel(world)
    subject = Subject(world)
  }

  /// Plays a program to its end; after it, nothing is left.
  func play(toTheEndOf operations: [Operation]) async {
    await play(operations)
    await finishTasks()
    if mismatch == nil {
      model.hands = model.hands.map { _ in nil }
      for variable in model.variables.indices.reversed() {
        model.variables[variable] = nil
        model.collectPods()
      }
      subject.forgetAll()
      await compare("the end", .none, .none, isAsync: true, isAwaited: false)
    }
    await subject.end()
  }

  func play(_ operations: [Operation]) async {
    for operation in operations where mismatch == nil { await play(operation) }
  }

  func play(_ operation: Operation) async {
    guard let pod = model.pod(operation.pod) else { return }
    let (variable, action) = (operation.pod, operation.action)
    switch action {
    case .begin(let member):
      guard isAsync(member) else { return playNow(operation) }
      await begin(member, action, in: variable, pod)
    case .resolve(let member, _, _) where isAsync(member), .useHandles(let member) where isAsync(member),
      .withFreshInstance(let member, _) where isAsync(member):
      await begin(member, action, in: variable, pod)
      await finishTasks()
    case .step(let index):
      let gated = model.gated
      if !gated.isEmpty { await open(gated[index % gated.count].path) }
    case .cancel(let index):
      let waiting = model.waiting
      guard !waiting.isEmpty else { return }
      let caller = waiting[index % waiting.count]
      script.add(action, to: variable, task: caller)
      model.cancel(caller)
      subject.cancel(caller)
      await compare("\(action)", .none, .none, isAsync: true, isAwaited: false)
    case .clearScope(_, isAwaited: true), .dispose(isAwaited: true):
      script.add(action, to: variable, task: nil)
      _ = model.perform(action, in: pod, variable: variable)
      await subject.performAwaited(action, in: variable)
      await compare("\(operation)", .none, .none, isAsync: true, isAwaited: true)
    case .withChild(_, _, _, isAsync: true, _), .withOverrides(_, isAsync: true, _):
      await finishTasks()
      await playBlock(operation, pod)
      let isAwaited = model.pods[pod] != nil
      await compare("the end of \(operation)", .none, .none, isAsync: true, isAwaited: isAwaited)
    default:
      if action.endsPods { await finishTasks() }
      playNow(operation)
      await compare("\(operation)", .none, .none, isAsync: model.isAsync, isAwaited: false)
    }
    await useHandles()
  }

  func isAsync(_ member: Member) -> Bool { world.nodes[member.node].kind == .async }

  // MARK: - Tasks

  func begin(_ member: Member, _ action: Action, in variable: Int, _ pod: Int) async {
    // What is being built for one pod, and waited for from another, is left to the other tests.
    if model.waiting.contains(where: { model.callers[$0].view != pod }) { await finishTasks() }
    var hand: Int?
    if case .resolve(_, _, let chosen) = action { hand = chosen }
    var isIsolated = false
    if case .withFreshInstance = action { isIsolated = true }
    let caller = model.callers.count
    script.add(.begin(member), to: variable, task: caller)
    model.begin(member, in: pod, hand: hand, isIsolated: isIsolated)
    await subject.begin(member, in: variable, caller: caller, action, isReady: model.answers[caller] != nil)
    await compare("pod \(variable): \(action)", .none, .none, isAsync: true, isAwaited: false)
  }

  func open(_ path: String) async {
    if let build = model.gated.first(where: { $0.path == path })?.build, let node = model.builds[build]?.member.node {
      script.add("await Gates.open(\"\(node)\")")
    }
    model.open(path)
    subject.workshop.open(path)
    await compare("open the gate \(path)", .none, .none, isAsync: true, isAwaited: false)
  }

  /// Lets all builders go on until every task has its answer.
  func finishTasks() async {
    while mismatch == nil, let gated = model.gated.first { await open(gated.path) }
  }

  // MARK: - Steps that are done at once

  func playNow(_ operations: [Operation]) {
    for operation in operations where mismatch == nil { playNow(operation) }
  }

  func playNow(_ operation: Operation) {
    guard let pod = model.pod(operation.pod) else { return }
    // What a started hook still holds is not foretold, so the rest of a block is left out.
    if model.hasStartedHooks { return }
    switch operation.action {
    case .withChild, .withOverrides: playBlockNow(operation, pod)
    case .step, .cancel, .begin: break
    case .resolve(let member, _, _) where isAsync(member), .useHandles(let member) where isAsync(member),
      .withFreshInstance(let member, _) where isAsync(member):
      break
    default:
      script.add(operation.action, to: operation.pod, task: nil)
      if model.isLeftOpen(operation.action, in: pod) { return }
      let expected = model.perform(operation.action, in: pod, variable: operation.pod)
      let actual = subject.perform(operation.action, in: operation.pod)
      check("\(operation)", expected, actual)
      useHandlesNow()
    }
  }

  func check(_ step: String, _ expected: Outcome.Answer, _ actual: Outcome.Answer) {
    guard mismatch == nil, expected != .unspecified, expected != actual else { return }
    fail("\(step)\n  expected: \(expected)\n  actual:   \(actual)")
  }

  /// Uses the handles of new holders, by which it becomes known what they lead to.
  func useHandlesNow() {
    while mismatch == nil, let holder = model.untouched.first {
      model.untouched.removeFirst()
      guard model.kept.contains(holder) else { continue }
      script.add(
        "// The handles of instance \(holder) are used: it is \(model.instances[holder]?.member.description ?? "").")
      let expected = model.useHandles(of: holder)
      let actual = subject.useHandles(of: holder)
      check("the handles of \(holder)", .handles(of: holder, expected), .handles(of: holder, actual ?? []))
    }
  }

  func useHandles() async {
    guard !model.untouched.isEmpty else { return }
    useHandlesNow()
    await compare("the use of handles", .none, .none, isAsync: model.isAsync, isAwaited: false)
  }
}

extension Action {
  /// Whether it may let a pod go for which something is being built.
  fileprivate var endsPods: Bool {
    switch self {
    case .makeChild, .forgetPod, .withChild, .withOverrides: true
    default: false
    }
  }
}
