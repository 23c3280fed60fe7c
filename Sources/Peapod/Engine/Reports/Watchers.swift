/// One who follows the answers of a pod: `updates(of:)`.
final class Watcher: Sendable {
  private let notify: @Sendable () -> Void

  init(_ notify: @escaping @Sendable () -> Void) { self.notify = notify }

  fileprivate func call() { notify() }
}

extension PodState {
  /// Adds a watcher: it is notified when this pod or an ancestor changes what it answers, and when the pod ends.
  func add(_ watcher: Watcher) {
    var state: PodState? = self
    while let current = state {
      current.lock.withLock { current.rareState.watchers[ObjectIdentifier(watcher)] = watcher }
      current.conditions.bitwiseOr(Condition.isWatched, ordering: .relaxed)
      state = current.parent
    }
  }

  func remove(_ watcher: Watcher) {
    var state: PodState? = self
    while let current = state {
      current.lock.withLock {
        current.rareState.watchers[ObjectIdentifier(watcher)] = nil
        if current.rareState.watchers.isEmpty {
          current.conditions.bitwiseAnd(~Condition.isWatched, ordering: .relaxed)
        }
      }
      state = current.parent
    }
  }

  /// Notifies the watchers of this pod and of those below that change nothing.
  ///
  /// Called without locks, after a change.
  @inline(__always)
  func notifyWatchers() {
    if has(Condition.isWatched) { callWatchers() }
  }

  @inline(never)
  private func callWatchers() {
    let watchers = lock.withLock { Array(rareState.watchers.values) }
    for watcher in watchers { watcher.call() }
  }
}
