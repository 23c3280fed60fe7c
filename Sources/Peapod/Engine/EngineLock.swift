import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// The lock type of the engine: the only place that names a lock.
///
/// It is held for a few instructions at a time and never while code of the user's runs.
struct EngineLock: ~Copyable, @unchecked Sendable {
  #if os(Linux) || os(Android) || PEAPOD_THREAD_SANITIZER
    // On Linux, `Synchronization.Mutex` hands the lock over to the thread that waits longest, so that with more threads than
    // cores each step takes a switch of threads: 27 µs a step for eight threads on two cores, where one thread takes 15 ns.
    // This one goes to whoever is running. A lock of the C library does so too, but takes 60 instructions where nobody waits,
    // and this a dozen. ThreadSanitizer understands both.
    //
    // As in Drepper's "Futexes Are Tricky" (2011), the second mutex; but who waits sleeps at a condition variable, which is there
    // on every system. Who takes it acquires what was released by who let it go, and so sees what that one wrote. Who has let it go
    // may be about to wake somebody still: whoever frees the lock does so when no call is under way.

    private enum State {
      static let free: UInt32 = 0
      static let taken: UInt32 = 1
      /// Taken, and somebody may sleep.
      static let awaited: UInt32 = 2
    }

    private let state = Atomic<UInt32>(State.free)
    // Safe: both are allocated once, never moved, and freed with the lock.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    init() {
      mutex.initialize(to: pthread_mutex_t())
      condition.initialize(to: pthread_cond_t())
      pthread_mutex_init(mutex, nil)
      pthread_cond_init(condition, nil)
    }

    deinit {
      pthread_mutex_destroy(mutex)
      pthread_cond_destroy(condition)
      mutex.deallocate()
      condition.deallocate()
    }

    @inline(__always)
    func withLock<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
      Delay.step()
      defer { Delay.step() }
      if !take() { wait() }
      defer { if state.exchange(State.free, ordering: .releasing) == State.awaited { wake() } }
      return try body()
    }

    @inline(__always)
    private func take() -> Bool {
      state.compareExchange(expected: State.free, desired: State.taken, ordering: .acquiring).exchanged
    }

    @inline(never)
    private func wait() {
      // It is free again sooner than the system could switch.
      for _ in 0..<EngineLock.looks where state.load(ordering: .relaxed) == State.free {
        if take() { return }
      }
      pthread_mutex_lock(mutex)
      // Whoever lets it go from here on sees that it is awaited, and can wake only once this sleeps, which lets the mutex go. It
      // stays awaited when this has it, since others may sleep too: at worst it wakes nobody.
      while state.exchange(State.awaited, ordering: .acquiring) != State.free { pthread_cond_wait(condition, mutex) }
      pthread_mutex_unlock(mutex)
    }

    @inline(never)
    private func wake() {
      pthread_mutex_lock(mutex)
      pthread_cond_signal(condition)
      pthread_mutex_unlock(mutex)
    }

    /// How often to look again before one sleeps.
    private static let looks = 200
  #else
    // Safe: the mutex is.
    private let mutex = Mutex<Void>(())

    init() {}

    @inline(__always)
    func withLock<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
      Delay.step()
      defer { Delay.step() }
      return try mutex.withLock { (_: inout Void) throws(Failure) -> Result in try body() }
    }
  #endif
}
