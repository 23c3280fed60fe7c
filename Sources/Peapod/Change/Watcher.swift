/// Notifies one iteration of `updates(of:)` that the answers of a pod may have changed.
final class Watcher: @unchecked Sendable {
  // Safe: guarded by `lock`.
  private let lock = Lock()
  /// Whether anything may have changed since the last look.
  ///
  /// Initially `true`, since the iteration has not looked yet.
  private var hasChanged = true
  private var waiting: [UnsafeContinuation<Void, Never>] = []

  /// Notes a change, and wakes the iteration.
  func notify() {
    let woken = lock.withLock {
      hasChanged = true
      defer { waiting = [] }
      return waiting
    }
    for continuation in woken { continuation.resume() }
  }

  /// Begins a look; returns whether anything may have changed since the last look.
  func takeChange() -> Bool {
    lock.withLock {
      defer { hasChanged = false }
      return hasChanged
    }
  }

  /// Suspends the task until a change, or until the task is canceled.
  nonisolated(nonsending) func wait() async {
    await withTaskCancellationHandler {
      await withUnsafeContinuation { continuation in
        let isOver = lock.withLock {
          if !hasChanged { waiting.append(continuation) }
          return hasChanged
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      notify()
    }
  }
}

extension PodState {
  /// Adds a watcher, which is notified of changes from now on.
  func add(_ watcher: Watcher) {
    withLock { held in
      madeRare(held).watchers[ObjectIdentifier(watcher)] = watcher
      conditions.bitwiseOr(Condition.isWatched, ordering: .relaxed)
    }
  }

  func remove(_ watcher: Watcher) {
    withLock { held in
      madeRare(held).watchers[ObjectIdentifier(watcher)] = nil
      if madeRare(held).watchers.isEmpty { conditions.bitwiseAnd(~Condition.isWatched, ordering: .relaxed) }
    }
  }

  /// Notifies the iterations that follow this pod or a descendant.
  ///
  /// Called without locks, after a change of the answers, and at the end of the pod.
  @inline(__always)
  func notifyWatchers() {
    if has(Condition.isWatched) { callWatchers() }
  }

  @inline(never)
  private func callWatchers() {
    for watcher in withLock({ held in Array(madeRare(held).watchers.values) }) { watcher.notify() }
  }
}
