import Synchronization

/// A value for which one thread or one task waits.
final class Signal<Value: Sendable>: @unchecked Sendable {
  // Safe: `value` and `continuation` are guarded by `lock`.
  private let lock = Lock()
  private var value: Value?
  private var continuation: UnsafeContinuation<Void, Never>?
  private let isGiven = Atomic<Bool>(false)

  /// Gives the value, and wakes the thread or the task; returns `false` if another call has given a value already.
  ///
  /// `toThread`: whether a thread waits.
  func give(_ new: Value, toThread: Bool = false) -> Bool {
    let (isFirst, woken) = lock.withLock { () -> (Bool, UnsafeContinuation<Void, Never>?) in
      guard value == nil else { return (false, nil) }
      value = new
      defer { continuation = nil }
      return (true, continuation)
    }
    guard isFirst else { return false }
    Delay.step()
    isGiven.store(true, ordering: .releasing)
    if toThread { ParkingPlace.wakeAll() }
    woken?.resume()
    return true
  }

  func block() -> Value {
    ParkingPlace.sleep { !isGiven.load(ordering: .acquiring) }
    return taken
  }

  nonisolated(nonsending) func suspend() async -> Value {
    await withUnsafeContinuation { next in
      let isOver = lock.withLock {
        if value == nil { continuation = next }
        return value != nil
      }
      if isOver { next.resume() }
    }
    return taken
  }

  private var taken: Value { lock.withLock { value }.unsafelyUnwrapped }
}
