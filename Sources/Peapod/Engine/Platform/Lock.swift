import Synchronization

/// The lock type of the engine, one word in size.
///
/// A lock is never held while user code runs, and usually only for a few instructions.
struct Lock: ~Copyable, @unchecked Sendable {
  #if DEBUG
    /// How often the lock was taken, for the test that counts the locks that requests share.
    let acquisitions = Atomic<Int>(0)
  #endif

  #if os(Linux) || os(Android) || PEAPOD_THREAD_SANITIZER
    // `Synchronization.Mutex` hands the lock to the thread that has waited longest. With more threads than cores, each step then takes a
    // thread switch (27 µs for eight threads on two cores, 15 ns for one thread). This lock goes to a running thread.
    //
    // The algorithm is the second mutex of Drepper, "Futexes Are Tricky" (2011). A thread that has to sleep does so in a place
    // that all locks share, so that a lock itself is one word.

    private enum State {
      static let free: UInt32 = 0
      static let taken: UInt32 = 1
      /// Taken, and a thread may sleep.
      static let awaited: UInt32 = 2
    }

    private let state = Atomic<UInt32>(State.free)

    @inline(__always)
    func withLock<Result: ~Copyable, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
      Delay.step()
      defer { Delay.step() }
      #if DEBUG
        acquisitions.wrappingAdd(1, ordering: .relaxed)
      #endif
      // Acquiring: sees everything that the last holder wrote before it released the lock.
      if !take() { wait() }
      defer { if state.exchange(State.free, ordering: .releasing) == State.awaited { ParkingPlace.wakeAll() } }
      return try body()
    }

    @inline(__always)
    private func take() -> Bool {
      state.compareExchange(expected: State.free, desired: State.taken, ordering: .acquiring).exchanged
    }

    @inline(never)
    private func wait() {
      // The lock is free again sooner than the system could switch threads.
      for _ in 0..<Lock.spins where state.load(ordering: .relaxed) == State.free {
        if take() { return }
      }
      // A thread that gets the lock here leaves the state `awaited`, since others may sleep too. At worst, its release wakes no thread.
      ParkingPlace.sleep { state.exchange(State.awaited, ordering: .acquiring) != State.free }
    }

    /// How often a thread looks at the lock before it sleeps.
    private static let spins = 200
  #else
    private let mutex = Mutex<Void>(())

    @inline(__always)
    func withLock<Result: ~Copyable, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
      #if DEBUG
        acquisitions.wrappingAdd(1, ordering: .relaxed)
      #endif
      return try mutex.withLock { (_: inout Void) throws(Failure) -> Result in try body() }
    }
  #endif
}
