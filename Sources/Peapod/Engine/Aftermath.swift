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
    if let freed { EntryPool.giveBack(ended: freed) }
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
