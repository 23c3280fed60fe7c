import Synchronization

/// Which caller waits for which build.
///
/// Waits are rare, so all pods share one graph with one lock. A synchronous build without waiters does not take this lock.
///
/// A builder that waits blocks every build that needs it. If the wait also blocks the awaited build, directly or not, the wait would never
/// end: a dependency cycle across threads or tasks.
enum WaitGraph {
  private static let lock = Lock()
  // Safe: guarded by `lock`.
  /// The nested calls with which each thread cancels tasks, and the tasks that the outermost call has still to cancel.
  nonisolated(unsafe) private static var canceling: [UInt: (calls: Int, rest: [Task<Void, Never>])] = [:]

  enum Attempt {
    case waiting
    /// The build has ended meanwhile, or was abandoned.
    case ended
    /// The builds of the cycle, without the first build at the end again.
    case cycle([Build])
  }

  /// Begins to wait, unless the wait could never end.
  static func wait(_ waiter: Waiter) -> Attempt {
    lock.withLock {
      let build = waiter.build
      // No caller waited for this build any longer, so its task was canceled.
      if build.isAbandoned { return .ended }
      if let own = waiter.request.caller.build, let path = cycle(from: build, to: own) { return .cycle(path) }
      // In one step: a build that ends now either sees the waiter or has ended.
      let (isRunning, status) = build.status.compareExchange(
        expected: .running, desired: .awaited, ordering: .acquiringAndReleasing)
      guard isRunning || status == .awaited else { return .ended }
      build.waiters[ObjectIdentifier(waiter)] = waiter
      forEachBuild(blockedBy: waiter) { $0.waits[ObjectIdentifier(waiter)] = waiter }
      return .waiting
    }
  }

  /// The builds of the cycle that a wait would close; `nil` if there is none.
  private static func cycle(from awaited: Build, to waiting: Build) -> [Build]? {
    if let path = waiting.path(from: awaited) { return path }
    var ways: [ObjectIdentifier: (waiter: Waiter, before: Build)] = [:]
    var seen: Set<ObjectIdentifier> = [ObjectIdentifier(awaited)]
    var rest = [awaited]
    while let build = rest.popLast() {
      for waiter in build.waits.values {
        let next = waiter.build
        guard seen.insert(ObjectIdentifier(next)).inserted else { continue }
        ways[ObjectIdentifier(next)] = (waiter, build)
        guard let end = waiting.path(from: next) else {
          rest.append(next)
          continue
        }
        // Goes back along the waits. Each wait began in a builder that the build before the wait needed.
        var path = end
        var step = next
        while let (waiter, before) = ways[ObjectIdentifier(step)] {
          path = (waiter.request.caller.build?.path(from: before) ?? []) + path
          step = before
        }
        return path
      }
    }
    return nil
  }

  /// Dismisses the waiters that no longer accept a build: they resolve again.
  ///
  /// The condition is evaluated without the lock, since it looks at pods. A caller that begins to wait meanwhile checks again itself.
  static func dismiss(_ build: Build, where matches: (Waiter) -> Bool) {
    guard build.status.load(ordering: .acquiring) == .awaited else { return }
    endWaits(lock.withLock { Array(build.waiters.values) }.filter(matches), for: build, with: .dismissed)
  }

  /// Ends some waits before the build ends, and cancels the task of the build if no other caller waits for it.
  static func endWaits(_ waiters: [Waiter], for build: Build, with outcome: Waiter.Outcome) {
    let (ended, task) = lock.withLock { () -> ([Waiter], Task<Void, Never>?) in
      let ended = waiters.filter(take)
      // Without a task, the first caller is about to wait.
      guard !ended.isEmpty, build.waiters.isEmpty, let task = build.task else { return (ended, nil) }
      build.isAbandoned = true
      return (ended, task)
    }
    for waiter in ended { waiter.end(outcome) }
    guard let task else { return }
    // Later callers begin a build of their own.
    build.detach()
    cancel(task)
  }

  /// Cancels the task of a build.
  ///
  /// The task cancels its waits, and so the builds for which it waits, in nested calls. A deep graph would take much of the stack, so beyond
  /// 32 nested calls the outermost call of the thread cancels the tasks. Up to there a task is canceled at once: a cancellation handler of
  /// the user may cancel another task and wait for it.
  private static func cancel(_ task: Task<Void, Never>) {
    let thread = CurrentThread.id
    let outerCalls = lock.withLock { () -> Int? in
      let calls = canceling[thread]?.calls ?? 0
      if calls == 32 {
        canceling[thread]?.rest.append(task)
        return nil
      }
      canceling[thread, default: (0, [])].calls = calls + 1
      return calls
    }
    guard let outerCalls else { return }
    var next: Task<Void, Never>? = task
    while let current = next {
      current.cancel()
      next = lock.withLock {
        if outerCalls == 0, let task = canceling[thread]?.rest.popLast() { return task }
        canceling[thread]?.calls = outerCalls
        if outerCalls == 0 { canceling[thread] = nil }
        return nil
      }
    }
  }

  /// Ends a build, and returns its waiters.
  static func end(_ build: Build) -> [Waiter] {
    guard build.status.exchange(.ended, ordering: .acquiringAndReleasing) == .awaited else { return [] }
    return lock.withLock { build.waiters.values.filter(take) }.sorted { $0.start < $1.start }
  }

  /// Removes a waiter; returns `false` if it waits no longer.
  private static func take(_ waiter: Waiter) -> Bool {
    guard waiter.build.waiters.removeValue(forKey: ObjectIdentifier(waiter)) != nil else { return false }
    forEachBuild(blockedBy: waiter) { $0.waits[ObjectIdentifier(waiter)] = nil }
    return true
  }

  /// Calls a body with each build that a wait blocks on the thread or in the task of the waiter.
  ///
  /// A build with a task of its own is the last: builds that need this build wait for it themselves.
  private static func forEachBuild(blockedBy waiter: Waiter, _ body: (Build) -> Void) {
    var blocked = waiter.request.caller.build
    while let build = blocked {
      body(build)
      // Also if this build has ended meanwhile, since it has the waiter.
      blocked = build.task == nil ? build.request.caller.build : nil
    }
  }

  /// Runs a body that uses the tasks of builds, which this lock guards too.
  static func withLock<Result>(_ body: () -> Result) -> Result { lock.withLock(body) }

  /// A build with all builds that it waits for, directly or not.
  static func awaited(by build: Build) -> [Build] {
    lock.withLock {
      var walk = Walk(from: build)
      while let next = walk.next() { for waiter in next.waits.values { walk.add(waiter.build) } }
      return walk.found
    }
  }
}
