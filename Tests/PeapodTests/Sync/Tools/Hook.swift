/// A place in user code at which a test may act; it does not act again from within its own action.
final class Hook: Sendable {
  private struct State {
    var action: (@Sendable () -> Void)?
    var isActing = false
    var count = 0
  }

  private let state = Locked(State())

  /// How often the action ran.
  var count: Int { state.withLock { $0.count } }

  func arm(_ action: @escaping @Sendable () -> Void) {
    state.withLock { $0.action = action }
  }

  func disarm() {
    state.withLock { $0.action = nil }
  }

  func fire() {
    let action = state.withLock { state -> (@Sendable () -> Void)? in
      guard !state.isActing, let action = state.action else { return nil }
      state.isActing = true
      state.count += 1
      return action
    }
    guard let action else { return }
    action()
    state.withLock { $0.isActing = false }
  }
}
