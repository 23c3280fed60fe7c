import Synchronization

/// The engine's one lock, and what is common to all pods.
enum Engine {
  /// The address of the lock, or zero before there is one: a plain load, where a lazy constant would be a call.
  private static let lockAddress = Atomic<UInt>(0)

  // Safe: the address is that of a lock that `makeLock` made, which is kept for ever. To acquire it is to see what was
  // written before it was released there: the lock itself.
  private static var lock: UnsafeMutablePointer<EngineLock> {
    @inline(__always) get {
      UnsafeMutablePointer(bitPattern: lockAddress.load(ordering: .acquiring)) ?? makeLock()
    }
  }

  @inline(never)
  private static func makeLock() -> UnsafeMutablePointer<EngineLock> {
    // On lines of its own: who waits looks at it all the time.
    let made = Memory.allocateLines(bytes: MemoryLayout<EngineLock>.size).bindMemory(to: EngineLock.self, capacity: 1)
    made.initialize(to: EngineLock())
    let (isFirst, known) = lockAddress.compareExchange(
      expected: 0, desired: UInt(bitPattern: made), ordering: .acquiringAndReleasing)
    if isFirst { return made }
    // Another thread was faster.
    made.deinitialize(count: 1)
    made.deallocate()
    return UnsafeMutablePointer(bitPattern: known).unsafelyUnwrapped
  }

  /// Runs the body with the lock held, and afterwards, without it, what the body left to do.
  @inline(__always)
  static func locked<Result>(_ body: (inout Aftermath) -> Result) -> Result {
    var aftermath = Aftermath()
    var other: Ending?
    let result = lock.pointee.withLock {
      holder.store(ThreadContext.id, ordering: .relaxed)
      defer { holder.store(0, ordering: .relaxed) }
      let result = body(&aftermath)
      if hasSuspects || endings != nil { other = conclude(&aftermath) }
      return result
    }
    if !aftermath.isEmpty { aftermath.run() }
    if let other { other.run() }
    return result
  }

  /// Runs a body with the lock held that lets nothing go, and leaves nothing to do.
  @inline(__always)
  static func lockedBriefly<Result>(_ body: () -> Result) -> Result { lock.pointee.withLock(body) }

  /// Ends a step after which there is more to do than after most.
  @inline(never)
  private static func conclude(_ aftermath: inout Aftermath) -> Ending? {
    if hasSuspects { discardLoops(&aftermath) }
    defer { endings = nil }
    return endings
  }

  /// The thread that holds the lock; zero for none.
  ///
  /// A thread that asks whether it is the one sees what it stored last itself, in whatever order others see it.
  private static let holder = Atomic<UInt>(0)
  /// What is left to do by those who came to need the lock while their thread held it.
  // Safe: read and written with the lock held.
  @exclusivity(unchecked) nonisolated(unsafe) private static var endings: Ending?

  /// A list of them, the latest first.
  private final class Ending {
    let aftermath: Aftermath
    let next: Ending?

    init(_ aftermath: Aftermath, next: Ending?) { (self.aftermath, self.next) = (aftermath, next) }

    func run() {
      var rest: Ending? = self
      while let ending = rest {
        ending.aftermath.run()
        rest = ending.next
      }
    }
  }

  /// Runs the body with the lock held, also where this thread holds it already.
  ///
  /// For the end of a declaration alone: the last reference may be one that was taken for a moment under the lock.
  static func lockedAnyway(_ body: (inout Aftermath) -> Void) {
    guard holder.load(ordering: .relaxed) == ThreadContext.id else { return locked(body) }
    var aftermath = Aftermath()
    body(&aftermath)
    endings = Ending(aftermath, next: endings)
  }

  // Safe: all three are read and written with the lock held.
  @exclusivity(unchecked) nonisolated(unsafe) private static var lastSerial: UInt64 = 0
  /// How many builds under way were detached from what others find.
  @exclusivity(unchecked) nonisolated(unsafe) static var detachedBuilds = 0
  /// How many waiters look from another pod than the one that their build runs for.
  @exclusivity(unchecked) nonisolated(unsafe) static var foreignWaiters = 0

  static func nextSerial() -> UInt64 {
    lastSerial += 1
    return lastSerial
  }
}
