import Synchronization

/// What is to be done once the engine's lock is let go: everything that may run code of the user's.
///
/// Most steps leave nothing to do, so the lists are made when one is needed.
struct Aftermath {
  private var made: Work?
  /// The first of the values whose life ends, mostly the only one.
  private var leftover: Leftover?
  /// The first of the entries that nobody leads to any longer; each names the next.
  private var freed: Entry?
  private var trash = ShortList<Trash>()

  /// A reference that may be the last one.
  ///
  /// Some of Objective-C are no addresses, and may be odd.
  private struct Trash: ShortListElement, Equatable {
    let word: UInt
    let number: UInt32

    init(word: UInt, number: UInt32) { (self.word, self.number) = (word, number) }

    init(_ bits: UInt) { self.init(word: bits & ~1, number: UInt32(bits & 1)) }

    func release() {
      // Safe: the bits of a reference that was retained for this.
      Unmanaged<AnyObject>.fromOpaque(UnsafeRawPointer(bitPattern: word | UInt(number)).unsafelyUnwrapped).release()
    }
  }

  var work: Work {
    mutating _read {
      if made == nil { made = Work.take() }
      yield made.unsafelyUnwrapped
    }
  }

  /// The instances that are to be disposed, for a caller that sees to it itself.
  mutating func takeDying() -> [Entry] {
    guard let made, !made.dying.isEmpty else { return [] }
    defer { made.dying.removeAll(keepingCapacity: true) }
    return made.dying
  }

  /// Releases what was retained, once the lock is let go: it may be the last reference.
  @inline(__always)
  mutating func release(_ object: Unmanaged<some AnyObject>) { release(bits: UInt(bitPattern: object.toOpaque())) }

  @inline(never)
  private mutating func release(bits: UInt) {
    let reference = Trash(bits)
    // What is there already is not the last reference yet, and a look at a weak instance is often the second one.
    if trash.last == reference { reference.release() } else { trash.append(reference) }
  }

  /// Ends the life of a value, once the lock is let go.
  mutating func release(_ value: Leftover) {
    if leftover == nil { leftover = value } else { work.values.append(value) }
  }

  /// Frees an entry, once nobody who holds the lock looks at it any longer.
  mutating func free(_ entry: Entry) {
    entry.next = freed
    freed = entry
  }

  /// Whether there is nothing to do, as after most steps.
  @inline(__always)
  var isEmpty: Bool { freed == nil && made == nil && leftover == nil && trash.isEmpty }

  /// Does it all.
  ///
  /// Called without the lock. Kept apart, and so once in the program: it is much code, of which a step mostly needs little.
  @inline(never)
  func run() {
    if let made { made.doAll(leftover) } else { leftover?.release() }
    // What made a value goes after it.
    if freed != nil { free() }
    if !trash.isEmpty { empty() }
  }

  private func empty() {
    var trash = trash
    for reference in trash { reference.release() }
    trash.free()
  }

  private func free() {
    var rest = freed
    var (last, count) = (rest, 0)
    while let entry = rest {
      rest = entry.next
      entry.letGoAll()
      last = entry
      count += 1
    }
    if let freed, let last { EntryPool.giveBack(freed, to: last, count: count) }
  }
}

/// The lists of what is to be done, used by one thread.
final class Work {
  // Not checked for exclusive access: what runs while a list is emptied, such as a `deinit` of the user's, may come to another
  // step of the engine, but that has taken lists of its own.

  /// Further values whose life ends.
  @exclusivity(unchecked) var values: [Leftover] = []
  /// Instances to dispose, in the order of their turn.
  @exclusivity(unchecked) var dying: [Entry] = []
  /// Waiters to wake.
  @exclusivity(unchecked) var wakes: [Waiter.Wake] = []
  @exclusivity(unchecked) private var rare: Rare?

  /// What is seldom to be done.
  final class Rare {
    /// Other values with references that may be the last ones.
    var keepsakes: [Any] = []
    /// Builds that no one waits for any longer.
    var cancelled: [Task<Void, Never>] = []
    /// Values of the main actor that end elsewhere, each with those who wait for that.
    var leftToMain: [(Leftover, [Teardown])] = []
    /// Teardowns that are complete.
    var resumed: [UnsafeContinuation<Void, Never>] = []
    /// Observers that have something to hear.
    var talkative: [EventQueue] = []
    /// Pairs that may be captive dependencies: to know, their scopes are asked for their children.
    var suspects: [Captivity.Suspect] = []
    /// What those get who wait until observers have heard of it.
    var answers: [(Waiter, Result<StoredValue, any Error>)] = []
    /// What to print to standard error.
    var warnings: [String] = []
  }

  var seldom: Rare {
    if let rare { return rare }
    let made = Rare()
    rare = made
    return made
  }

  private init() {}

  private func run(_ leftover: Leftover?) {
    let rare = rare
    self.rare = nil
    if !wakes.isEmpty {
      Delay.step()
      for case .thread(let parker) in wakes { parker.open() }
      for case .task(let continuation) in wakes { continuation?.resume() }
      wakes.removeAll(keepingCapacity: true)
    }
    if let rare {
      for task in rare.cancelled { task.cancel() }
      for warning in rare.warnings { ThreadContext.writeError(warning) }
      for queue in rare.talkative { queue.deliver() }
      if !rare.suspects.isEmpty { Captivity.examine(rare.suspects) }
      if !rare.answers.isEmpty { Engine.give(rare.answers) }
      for (leftover, teardowns) in rare.leftToMain { Teardown.letGoOnMainActor(leftover, awaitedAs: teardowns) }
    }
    leftover?.release()
    if !values.isEmpty {
      for value in values { value.release() }
      values.removeAll(keepingCapacity: true)
    }
    if !dying.isEmpty {
      Teardown.turn(of: dying)
      dying.removeAll(keepingCapacity: true)
    }
    if let rare { for continuation in rare.resumed { continuation.resume() } }
  }
}

// MARK: - Using lists again

extension Work {
  /// The address of lists that are in nobody's use, retained; or zero.
  private static let spare = Atomic<UInt>(0)
  private static let spareLimit = 256

  fileprivate static func take() -> Work {
    let address = spare.exchange(0, ordering: .acquiringAndReleasing)
    guard let known = UnsafeRawPointer(bitPattern: address) else { return Work() }
    // Safe: whoever put it there retained it, and whoever takes it out is the only one to do so.
    return Unmanaged<Work>.fromOpaque(known).takeRetainedValue()
  }

  /// Does what the lists hold, and leaves them empty for others.
  fileprivate func doAll(_ leftover: Leftover?) {
    run(leftover)
    guard max(values.capacity, dying.capacity, wakes.capacity) <= Work.spareLimit else { return }
    let address = UInt(bitPattern: Unmanaged.passRetained(self).toOpaque())
    let former = Work.spare.exchange(address, ordering: .acquiringAndReleasing)
    // Safe: as in `take()`.
    if let former = UnsafeRawPointer(bitPattern: former) { Unmanaged<Work>.fromOpaque(former).release() }
  }
}

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
    let made = UnsafeMutablePointer<EngineLock>.allocate(capacity: 1)
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

  /// Runs a body with the lock held that only looks: it lets nothing go, and leaves nothing to do.
  @inline(__always)
  static func lockedToLook<Result>(_ body: () -> Result) -> Result { lock.pointee.withLock(body) }

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
