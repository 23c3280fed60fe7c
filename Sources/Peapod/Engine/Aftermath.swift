/// What is to be done once the engine's lock is let go: everything that may run code of the user's.
///
/// Most steps leave nothing to do, so the lists are made when one is needed.
struct Aftermath {
  private var made: Work?

  var work: Work {
    mutating get {
      if let made { return made }
      let new = Work()
      made = new
      return new
    }
  }

  /// Does it all.
  ///
  /// Called without the lock.
  @inline(__always)
  func run() { made?.run() }
}

/// The lists of what is to be done, used by one thread.
final class Work {
  /// Waiters to wake.
  var wakes: [Waiter.Wake] = []
  /// References that may be the last ones.
  var trash: [AnyObject] = []
  /// Other values with references that may be the last ones.
  var keepsakes: [Any] = []
  /// Values whose life ends.
  var values: [(declaration: Declaration, value: StoredValue)] = []
  /// Instances to dispose, in the order of their turn.
  var dying: [Entry] = []
  /// Builds that no one waits for any longer.
  var cancelled: [Task<Void, Never>] = []
  /// Teardowns that are complete.
  var resumed: [UnsafeContinuation<Void, Never>] = []
  /// Observers that have something to hear.
  var talkative: [EventQueue] = []
  /// Pairs that may be captive dependencies: to know, their scopes are asked for their children.
  var suspects: [Captivity.Suspect] = []
  /// What to print to standard error.
  var warnings: [String] = []

  fileprivate func run() {
    if !wakes.isEmpty {
      for case .thread(let parker) in wakes { parker.open() }
      for case .task(let continuation) in wakes { continuation?.resume() }
    }
    if !cancelled.isEmpty { for task in cancelled { task.cancel() } }
    if !warnings.isEmpty { for warning in warnings { ThreadContext.writeError(warning) } }
    if !talkative.isEmpty { for queue in talkative { queue.deliver() } }
    if !suspects.isEmpty { Captivity.examine(suspects) }
    if !values.isEmpty { for (declaration, value) in values { declaration.release(value) } }
    if !dying.isEmpty { for entry in dying { Teardown.turn(of: entry) } }
    if !resumed.isEmpty { for continuation in resumed { continuation.resume() } }
  }
}

/// The engine's one lock, and what is common to all pods.
enum Engine {
  private static let lock = EngineLock()

  /// Runs the body with the lock held, and afterwards, without it, what the body left to do.
  @inline(__always)
  static func locked<Result>(_ body: (inout Aftermath) -> Result) -> Result {
    var aftermath = Aftermath()
    let result = lock.withLock { body(&aftermath) }
    aftermath.run()
    return result
  }

  // Safe: all three are read and written with the lock held.
  nonisolated(unsafe) private static var lastSerial: UInt64 = 0
  /// How many builds under way were detached from what others find.
  nonisolated(unsafe) static var detachedBuilds = 0
  /// How many waiters look from another pod than the one that their build runs for.
  nonisolated(unsafe) static var foreignWaiters = 0

  static func nextSerial() -> UInt64 {
    lastSerial += 1
    return lastSerial
  }
}
