import Peapod

/// One thing that a random program does.
enum StageOperation: Sendable, CustomStringConvertible {
  case resolve(Int)
  /// Cancels the caller that many before the last one.
  case cancel(Int)
  case hold(Int)
  case release(Int)
  case failNext(Int)
  case clear(StageScope)
  case override(Int, StageOverride)
  case removeOverride(Int)

  init(in plan: StagePlan, using dice: inout Dice) {
    let async = plan.plainCount + dice.below(plan.items.count - plan.plainCount)
    let any = dice.below(plan.items.count)
    switch dice.below(100) {
    case ..<40: self = .resolve(async)
    case ..<52: self = .cancel(dice.below(6))
    case ..<62: self = .hold(async)
    case ..<74: self = .release(async)
    case ..<80: self = .failNext(async)
    case ..<87: self = .clear([.outer, .inner, .single][dice.below(3)])
    case ..<94: self = .override(any, [.builder, .value, plan.isAsync(any) ? .decorator : .builder][dice.below(3)])
    default: self = .removeOverride(any)
    }
  }

  var description: String {
    switch self {
    case .resolve(let index): "resolve \(index)"
    case .cancel(let back): "cancel the caller \(back) before the last"
    case .hold(let index): "hold \(index)"
    case .release(let index): "release \(index)"
    case .failNext(let index): "let the next build of \(index) fail"
    case .clear(let scope): "clear \(scope)"
    case .override(let index, let kind): "override \(index) with a \(kind)"
    case .removeOverride(let index): "remove the override of \(index)"
    }
  }
}

/// A program, played by a model and a pod side by side.
@Stage
final class StageRun {
  private let plan: StagePlan
  private var model: StageModel
  private let world: StageWorld
  private var callers: [Task<Void, Never>] = []
  private let patience: Int

  /// `patience`: how many turns the pod has to come to rest where the model is.
  init(_ plan: StagePlan, in census: Census, patience: Int) {
    self.plan = plan
    self.patience = patience
    model = StageModel(plan)
    world = StageWorld(plan, in: census)
  }

  /// Returns what differs and after which operation, or nil.
  func play(_ operations: [StageOperation]) async -> (after: Int, difference: String)? {
    for (index, operation) in operations.enumerated() {
      step(operation)
      if let difference = await settle() { return await end((index, difference)) }
    }
    release()
    if let difference = await settle() { return await end((operations.count, difference)) }
    for caller in callers { await caller.value }
    await world.pod.shutdown()
    model.shutdown()
    return await settle().map { (operations.count, $0) }
  }

  private func release() {
    for index in plan.asyncIndices {
      model.release(index)
      world.release(index)
    }
  }

  /// Leaves nothing running behind after a difference.
  private func end(_ difference: (Int, String)) async -> (Int, String) {
    release()
    for caller in callers { caller.cancel() }
    for caller in callers { await caller.value }
    return difference
  }

  private func step(_ operation: StageOperation) {
    switch operation {
    case .resolve(let index):
      model.resolve(index, caller: callers.count)
      callers.append(world.resolve(index, caller: callers.count))
    case .cancel(let back):
      let caller = callers.count - 1 - back
      guard caller >= 0 else { return }
      model.cancel(caller: caller)
      callers[caller].cancel()
    case .hold(let index):
      model.hold(index)
      world.hold(index)
    case .release(let index):
      model.release(index)
      world.release(index)
    case .failNext(let index):
      model.failNext(index)
      world.record.withLock { _ = $0.failing.insert(index) }
    case .clear(let scope):
      model.clear(scope)
      switch scope {
      case .outer: world.pod.clearCachedInstances(forScope: StageScope.Outer())
      case .inner: world.pod.clearCachedInstances(forScope: StageScope.Inner())
      default: world.pod.clearCachedInstances(forScope: SingletonScope())
      }
    case .override(let index, let kind):
      guard !model.isDecorating(index) else { return }
      world.override(index, model.override(index, kind), kind)
    case .removeOverride(let index):
      guard !model.isDecorating(index) else { return }
      model.removeOverride(index)
      world.removeOverride(index)
    }
  }

  /// Waits until the pod has come to rest where the model is; returns what differs if it does not.
  private func settle() async -> String? {
    var turns = 0
    while let difference = difference() {
      turns += 1
      if turns > patience { return difference }
      await Task.yield()
    }
    for index in plan.items.indices where !model.isValueOverride(index) {
      let (expected, seen) = (model.cached(index), world.cached(index))
      if expected != seen {
        return "cached \(index): expected \(expected ?? "nothing"), found \(seen ?? "nothing")"
      }
    }
    return nil
  }

  private func difference() -> String? {
    let record = world.record.withLock { $0 }
    if record.begun != callers.count { return "a caller has not begun" }
    if record.serial != model.serial { return "builds begun: expected \(model.serial), found \(record.serial)" }
    if record.live != model.builds.count { return "builds: expected \(model.builds.count), found \(record.live)" }
    if record.gated != model.gated { return "builds at gates: expected \(model.gated), found \(record.gated)" }
    for (caller, answer) in model.answers where record.answers[caller] != answer {
      return "caller \(caller): expected \(answer), found \(record.answers[caller].map { "\($0)" } ?? "nothing")"
    }
    if record.answers.count != model.answers.count { return "a caller has an answer that it should not have" }
    if record.disposed.count != model.disposed.count || Set(record.disposed) != model.disposed {
      return "disposed: expected \(model.disposed.sorted()), found \(record.disposed.sorted())"
    }
    return nil
  }
}
