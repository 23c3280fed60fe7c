/// The disposal of ended instances: disposal closures run once, dependents before their dependencies.
///
/// If the closure of a dependent runs in a task, the dependencies are retained until the task ends, and then disposed.
final class Teardown: @unchecked Sendable {
  // Safe: constants. `lock` guards the rest.

  private let order: TeardownOrder
  private let awaitedBy: DisposalGroup?
  /// The async build whose builder waits for the closures, so that what they resolve may close a dependency cycle.
  private let build: Build?
  private let lock = Lock()
  /// How many disposals and other steps have to end before the disposal at each position.
  ///
  /// One step is the call of the closure that `prepare` returns, since an earlier closure may end before that call.
  @exclusivity(unchecked) private var blockers: [Int]
  /// Whether each position is ready.
  @exclusivity(unchecked) private var isReady: [Bool]
  @exclusivity(unchecked) private var readyCount = 0
  /// A position before which no position is ready.
  ///
  /// The smallest ready position, the latest built instance, comes first. Followers mostly have larger positions.
  @exclusivity(unchecked) private var firstReady = 0
  /// Whether the caller of the teardown still disposes what is ready, so that it returns after all closures that can run there.
  @exclusivity(unchecked) private var isCallerBusy = true
  /// The positions for which `awaitedBy` does not wait.
  @exclusivity(unchecked) private var unawaited: Set<Int> = []

  private init(_ order: TeardownOrder, awaitedBy: DisposalGroup?) {
    self.order = order
    self.awaitedBy = awaitedBy
    build = awaitedBy == nil ? nil : TaskContext.runningBuild
    blockers = order.followers.map { _ in 1 }
    isReady = order.instances.map { _ in false }
    for followers in order.followers { for follower in followers { blockers[follower] += 1 } }
  }

  /// Disposes instances that were removed from the tables of their pods.
  ///
  /// Called without locks. Returns when every closure that can run here has returned. `awaitedBy`: the group that waits for the tasks.
  static func run(_ ended: [Instance], awaitedBy: DisposalGroup? = nil) {
    guard !ended.isEmpty else { return }
    if isSilent(ended, awaitedBy) { release(ended) } else { prepare(ended, awaitedBy: awaitedBy)() }
  }

  /// Whether the disposal calls no closure and no caller has to wait, so that only values are released.
  private static func isSilent(_ ended: [Instance], _ awaitedBy: DisposalGroup?) -> Bool {
    !RunningDisposals.exist
      && ended.allSatisfy { !$0.hasDisposal && (ended.count == 1 || !$0.traits.contains(.isDeferred)) }
      && (awaitedBy == nil || !ended.contains { $0.declaration.isMainActor })
  }

  /// Releases values, the latest first.
  private static func release(_ ended: [Instance]) {
    guard ended.count > 1 else { return ended[0].release() }
    for instance in ended.sorted(by: { $0.serial > $1.serial }) { instance.release() }
  }

  /// Decides the order in which instances are disposed; returns the disposal, which the caller runs without locks.
  ///
  /// `retained`: retains the objects that this function reads, if a lock is held.
  static func prepare(_ ended: [Instance], awaitedBy: DisposalGroup? = nil, _ retained: RetainedObjects? = nil) -> () ->
    Void
  {
    if isSilent(ended, awaitedBy) { return { release(ended) } }
    var search = FollowerSearch(ended, retained)
    let teardown = Teardown(TeardownOrder(&search), awaitedBy: awaitedBy)
    awaitedBy?.add(ended.count)
    teardown.beginDisposals(behind: teardown.waitForRunningDisposals(&search, retained))
    return {
      teardown.unblock(Array(teardown.order.followers.indices))
      teardown.disposeReady(isLate: false)
    }
  }

  /// Lets later teardowns and shutdowns wait for the closures of this teardown.
  ///
  /// A closure that has to wait for another closure is listed too. Otherwise a shutdown could return between the two closures.
  private func beginDisposals(behind blocked: [Int]) {
    let blocking = order.instances.indices.filter { order.instances[$0].mayBlock }
    RunningDisposals.begin(order.followers(of: blocked + blocking).map { order.instances[$0] })
  }

  /// Makes instances wait for dependents that an earlier teardown is disposing; returns the positions of these instances.
  private func waitForRunningDisposals(_ search: inout FollowerSearch, _ retained: RetainedObjects?) -> [Int] {
    guard RunningDisposals.exist else { return [] }
    let blocked = RunningDisposals.add(
      followersIn: &search, retained,
      block: { positions in lock.withLock { for position in positions { blockers[position] += 1 } } },
      then: { position in
        // Called when the earlier closure is done.
        self.unblock([position])
        self.disposeReady(isLate: true)
      })
    if let awaitedBy, awaitedBy.isNested {
      // These instances may wait for the caller itself.
      let late = order.followers(of: blocked)
      lock.withLock { unawaited = late }
      awaitedBy.leave(late.count)
    }
    return blocked
  }

  private func unblock(_ positions: [Int]) {
    lock.withLock {
      var rest = positions
      while let position = rest.popLast() {
        blockers[position] -= 1
        guard blockers[position] == 0 else { continue }
        // A live instance or a question blocks what follows it, and has nothing to dispose.
        guard position < order.instances.count else {
          rest += order.followers[position]
          continue
        }
        isReady[position] = true
        readyCount += 1
        firstReady = min(firstReady, position)
      }
    }
  }

  /// Disposes the instances that are ready, and the instances that become ready meanwhile.
  ///
  /// `isLate`: whether a closure in a task, or of an earlier teardown, has just ended.
  private func disposeReady(isLate: Bool) {
    while let position = lock.withLock({ takeReady(isLate: isLate) }) { dispose(position, isLate: isLate) }
  }

  /// Called with the lock held.
  private func takeReady(isLate: Bool) -> Int? {
    if isLate, isCallerBusy { return nil }
    guard readyCount > 0 else {
      isCallerBusy = false
      return nil
    }
    while !isReady[firstReady] { firstReady += 1 }
    isReady[firstReady] = false
    readyCount -= 1
    return firstReady
  }

  private func dispose(_ position: Int, isLate: Bool) {
    let instance = order.instances[position]
    Delay.step()
    let closure = instance.hasDisposal ? instance.declaration.disposal : .none
    let isOnMain = !instance.declaration.isMainActor || CurrentThread.isMain
    switch closure {
    case .none where isOnMain || awaitedBy == nil: finish(position)
    case .sync(let body) where isOnMain:
      Caller.withoutRecording { body(StoredValue(word: instance.word)) }
      Delay.step()
      finish(position)
    case .async(let body): start(position, isLate: isLate, body)
    case .none, .sync:
      // Without a closure too: the waiting caller continues only after the release on the main actor.
      start(position, isLate: isLate) { value in
        await MainActor.run {
          if case .sync(let body) = closure { body(value) }
          instance.releaseValue()
        }
      }
    }
  }

  /// Starts a task for a disposal that cannot run here; the task is part of a build only if the builder waits.
  ///
  /// Tasks may begin in any order. So where the runtime can, a task runs here until it first suspends. At the end of another closure it
  /// does not, since tasks would nest without limit.
  private func start(_ position: Int, isLate: Bool, _ body: @escaping @Sendable (StoredValue) async -> Void) {
    let value = StoredValue(word: order.instances[position].word)
    let disposal = DisposalEnd()
    let operation: @Sendable () async -> Void = {
      await body(value)
      disposal.end()
      self.finish(position)
      self.disposeReady(isLate: true)
    }
    // The first part of the task may run here, perhaps within a builder that clears a scope.
    let frame = CurrentThread.frame
    CurrentThread.frame = nil
    defer { CurrentThread.frame = frame }
    let build = lock.withLock { unawaited.contains(position) ? nil : self.build }
    TaskContext.$build.withValue(build) {
      TaskContext.$disposal.withValue(disposal) {
        if !isLate, #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
          Task.immediate { await operation() }
        } else {
          Task { await operation() }
        }
      }
    }
  }

  /// Releases the value of an instance after its closure, and unblocks the dependencies.
  private func finish(_ position: Int) {
    order.instances[position].release()
    RunningDisposals.finish(order.instances[position])
    unblock(order.followers[position])
    if let awaitedBy, lock.withLock({ !unawaited.contains(position) }) { awaitedBy.leave(1) }
  }
}

extension Instance {
  /// Releases the value of an instance after its closure, and notifies the observers.
  fileprivate func release() {
    releaseValue()
    if !isConstant { home.emit({ [named] in [.dispose(named.info)] }) }
  }

  /// Whether others may have to wait for the disposal of this instance: it needs a task, or a dependency has a closure.
  var mayBlock: Bool {
    if declaration.isMainActor, !CurrentThread.isMain { return true }
    guard hasDisposal else { return false }
    if case .async = declaration.disposal { return true }
    return dependencies.contains { dependency in
      dependency.instance.map { !$0.traits.isDisjoint(with: [.isDisposable, .isDeferred, .isCrossPod]) } ?? true
    }
  }

  /// Releases the value of an ended instance, on the main actor if it was built there.
  ///
  /// Called without a lock: it may run a `deinit`.
  func releaseValue() {
    let value = home.withLock { _ in
      defer { word = 0 }
      return word
    }
    if value != 0 { declaration.release(StoredValue(word: value)) }
  }
}
