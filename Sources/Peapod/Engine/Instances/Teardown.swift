/// The disposal of ended instances: disposal closures run once, dependents before their dependencies.
///
/// If the closure of a dependent runs in a task, the dependencies are retained until the task ends, and then disposed.
final class Teardown: @unchecked Sendable {
  // Safe: constants. `lock` guards the rest.

  /// One instance to dispose, or a gate.
  private struct Node {
    let instance: Instance?
    /// How many disposals and other steps have to end before.
    var blockers: Int
    var isBegun = false
    var running: RunningDisposals.Entry?
  }

  private let lock = Lock()
  @exclusivity(unchecked) private var nodes: [Node]
  private let followers: [[Int]]
  /// The positions that are ready, in a heap: the smallest position, the latest built instance, comes first.
  @exclusivity(unchecked) private var ready = PositionHeap()
  private let awaitedBy: DisposalGroup?

  private init(_ order: TeardownOrder, awaitedBy: DisposalGroup?) {
    nodes = order.instances.map { Node(instance: $0, blockers: 0) }
    // The gates of components have no instance.
    nodes += order.followers.dropFirst(nodes.count).map { _ in Node(instance: nil, blockers: 0) }
    followers = order.followers
    self.awaitedBy = awaitedBy
    for position in followers.indices { for follower in followers[position] { nodes[follower].blockers += 1 } }
    // One more blocker until `run()`, since an earlier closure may end before.
    for position in nodes.indices { nodes[position].blockers += 1 }
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
      && ended.allSatisfy { $0.isSilent && (ended.count == 1 || !$0.traits.contains(.isDeferred)) }
      && (awaitedBy == nil || !ended.contains { $0.declaration.isMainActor })
  }

  /// Releases values, the latest first.
  private static func release(_ ended: [Instance]) {
    guard ended.count > 1 else { return ended[0].takeValue()?.release() ?? () }
    for instance in ended.sorted(by: { $0.serial > $1.serial }) { instance.takeValue()?.release() }
  }

  /// Decides the order in which instances are disposed; returns the disposal, which the caller runs without locks.
  ///
  /// `retained`: retains the objects that this function reads, if a lock is held.
  static func prepare(_ ended: [Instance], awaitedBy: DisposalGroup? = nil, _ retained: RetainedObjects? = nil) -> () ->
    Void
  {
    if isSilent(ended, awaitedBy) { return { release(ended) } }
    let teardown = Teardown(TeardownOrder(ended, retained), awaitedBy: awaitedBy)
    awaitedBy?.add(ended.count)
    teardown.beginDisposals(behind: teardown.waitForRunningDisposals(retained))
    return { teardown.run() }
  }

  private func run() {
    unblock(Array(followers.indices))
    runReady(isLate: false)
  }

  /// Lets later teardowns and shutdowns wait for the closures of this teardown.
  ///
  /// A closure that has to wait for another closure is listed too. Otherwise a shutdown could return between the two closures.
  private func beginDisposals(behind blocked: [Int]) {
    // An earlier closure may end now, and its thread takes the lock.
    let instances = lock.withLock { nodes.map(\.instance) }
    let blocking = instances.indices.filter { instances[$0]?.mayBlock ?? false }
    for position in late(behind: blocked + blocking) {
      guard let instance = instances[position], instance.mayBlock || instance.hasDisposal else { continue }
      let running = RunningDisposals.begin(instance)
      lock.withLock { nodes[position].running = running }
    }
  }

  /// Makes instances wait for dependents that an earlier teardown is disposing; returns the positions of these instances.
  private func waitForRunningDisposals(_ retained: RetainedObjects?) -> [Int] {
    guard RunningDisposals.exist else { return [] }
    let blocked = RunningDisposals.add(
      followersIn: TeardownOrder(nodes.compactMap(\.instance), retained),
      block: { positions in lock.withLock { for position in positions { nodes[position].blockers += 1 } } },
      then: { position in
        // Called when the earlier closure is done.
        self.unblock([position])
        self.runReady(isLate: true)
      })
    if let awaitedBy, awaitedBy.isNested {
      // These instances may wait for the caller itself.
      let late = late(behind: blocked)
      awaitedBy.leave(
        lock.withLock {
          leftOut = late
          // The group counts no gates.
          return late.count { nodes[$0].instance != nil }
        })
    }
    return blocked
  }

  /// The given positions, and all positions that are disposed after them, directly or not.
  private func late(behind first: [Int]) -> Set<Int> {
    var found = Set(first)
    var rest = Array(found)
    while let position = rest.popLast() {
      for follower in followers[position] where found.insert(follower).inserted { rest.append(follower) }
    }
    return found
  }

  @exclusivity(unchecked) private var leftOut: Set<Int> = []

  private func unblock(_ positions: [Int]) {
    lock.withLock {
      var rest = positions
      while let position = rest.popLast() {
        nodes[position].blockers -= 1
        guard nodes[position].blockers == 0 else { continue }
        if nodes[position].instance == nil { rest += followers[position] } else { ready.insert(position) }
      }
    }
  }

  /// Disposes the instances that are ready, and the instances that become ready meanwhile.
  ///
  /// `isLate`: whether a closure in a task, or of an earlier teardown, has just ended.
  private func runReady(isLate: Bool) {
    while let position = lock.withLock({ ready.removeFirst() }) {
      let isFirst = lock.withLock {
        defer { nodes[position].isBegun = true }
        return !nodes[position].isBegun
      }
      if isFirst { dispose(position, isLate: isLate) }
    }
  }

  private func dispose(_ position: Int, isLate: Bool) {
    guard let instance = lock.withLock({ nodes[position].instance }) else { return }
    Delay.step()
    let closure = instance.hasDisposal ? instance.declaration.disposal : .none
    let isOnMain = !instance.declaration.isMainActor || CurrentThread.isMain
    switch closure {
    case .none where isOnMain || awaitedBy == nil:
      finish(position)
    case .none:
      // The waiting caller continues only after the release on the main actor.
      start(position, isLate: isLate) { _ in await MainActor.run { instance.takeValue()?.release() } }
    case .sync(let body) where isOnMain:
      body(StoredValue(word: instance.word))
      Delay.step()
      finish(position)
    case .sync(let body):
      start(position, isLate: isLate) { word in
        await MainActor.run {
          body(StoredValue(word: word))
          instance.takeValue()?.release()
        }
      }
    case .async(let body):
      start(position, isLate: isLate) { word in await body(StoredValue(word: word)) }
    }
  }

  /// Starts a task for a disposal that cannot run here; the task is part of no build.
  ///
  /// Tasks may begin in any order. So where the runtime can, a task runs here until it first suspends. At the end of another closure it
  /// does not, since tasks would nest without limit.
  private func start(_ position: Int, isLate: Bool, _ body: @escaping @Sendable (UInt) async -> Void) {
    guard let instance = lock.withLock({ nodes[position].instance }) else { return }
    let word = instance.word
    let disposal = RunningDisposal()
    let operation: @Sendable () async -> Void = {
      await body(word)
      disposal.end()
      self.finish(position)
      self.runReady(isLate: true)
    }
    TaskContext.$build.withValue(nil) {
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
    guard let instance = lock.withLock({ nodes[position].instance }) else { return }
    instance.takeValue()?.release()
    if !instance.isConstant { instance.home.emit(.dispose(instance.info)) }
    let (next, isAwaited, running) = lock.withLock { () -> ([Int], Bool, RunningDisposals.Entry?) in
      defer { nodes[position].running = nil }
      return (followers[position], !leftOut.contains(position), nodes[position].running)
    }
    running?.finish()
    unblock(next)
    if isAwaited { awaitedBy?.leave(1) }
  }
}

extension Instance {
  /// Whether the disposal of this instance calls no closure and notifies no observer.
  fileprivate var isSilent: Bool { !hasDisposal && !home.isObserved }

  /// Whether others may have to wait for the disposal of this instance: it needs a task, or a dependency has a closure.
  fileprivate var mayBlock: Bool {
    if declaration.isMainActor, !CurrentThread.isMain { return true }
    guard hasDisposal else { return false }
    if case .async = declaration.disposal { return true }
    return dependencies.contains { $0.isDeferred || $0.instance?.traits.contains(.isDisposable) ?? false }
  }

  /// Takes the value of an ended instance, which the caller releases without a lock; `nil` if there is none, or readers still use it.
  func takeValue() -> EndedValue? {
    var isSweepDue = false
    defer { if isSweepDue { home.sweepCleared() } }
    return home.lock.withLock {
      isSweepDue = home.knownRare?.isFullOfCleared ?? false
      guard word != 0 else { return nil }
      let value = StoredValue(word: word)
      word = 0
      let isLent = flags.contains(.isLent)
      let ended: EndedValue
      if isLent, let definition {
        ended = EndedValue(borrowedFrom: definition)
      } else if flags.contains(.isWeak) {
        ended = EndedValue(weak: value)
      } else {
        ended = EndedValue(value, of: declaration)
      }
      if flags.contains(.hasReaders), let slot = home.slots?.slot(declaration.index), !slot.pointee.isUnread() {
        home.rareState.leftovers[declaration.index, default: []].append(ended)
        return nil
      }
      return ended
    }
  }
}

/// A heap of positions, the smallest first.
private struct PositionHeap {
  private var positions: [Int] = []

  mutating func insert(_ position: Int) {
    positions.append(position)
    var child = positions.count - 1
    while child > 0, positions[child] < positions[(child - 1) / 2] {
      positions.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  mutating func removeFirst() -> Int? {
    guard let first = positions.first else { return nil }
    let last = positions.removeLast()
    guard !positions.isEmpty else { return first }
    positions[0] = last
    var parent = 0
    while true {
      var child = 2 * parent + 1
      guard child < positions.count else { return first }
      if child + 1 < positions.count, positions[child + 1] < positions[child] { child += 1 }
      guard positions[child] < positions[parent] else { return first }
      positions.swapAt(child, parent)
      parent = child
    }
  }
}
