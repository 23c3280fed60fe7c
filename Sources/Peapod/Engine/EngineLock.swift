#if os(Linux) || os(Android) || PEAPOD_THREAD_SANITIZER
  #if canImport(Darwin)
    import Darwin
  #elseif canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #elseif canImport(Android)
    import Android
  #endif
#else
  import Synchronization
#endif

/// The lock type of the engine: the only place that names a lock.
///
/// It is held for a few instructions at a time and never while code of the user's runs.
struct EngineLock: ~Copyable, @unchecked Sendable {
  #if os(Linux) || os(Android) || PEAPOD_THREAD_SANITIZER
    // On Linux, `Synchronization.Mutex` hands the lock over to the thread that waits longest, so that with more threads than
    // cores each step takes a switch of threads: 27 µs a step for eight threads on two cores, where one thread takes 15 ns.
    // A lock of the C library goes to whoever is running: 80 ns and 18 ns. It is also one that ThreadSanitizer understands.

    // Safe: allocated once, never moved, freed with the lock.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

    init() {
      mutex.initialize(to: pthread_mutex_t())
      #if canImport(Glibc)
        // Who finds it taken looks again some times before it sleeps: it is free again sooner than the system could switch.
        var attributes = pthread_mutexattr_t()
        pthread_mutexattr_init(&attributes)
        pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_ADAPTIVE_NP))
        pthread_mutex_init(mutex, &attributes)
        pthread_mutexattr_destroy(&attributes)
      #else
        pthread_mutex_init(mutex, nil)
      #endif
    }

    deinit {
      pthread_mutex_destroy(mutex)
      mutex.deallocate()
    }

    @inline(__always)
    func withLock<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
      Delay.step()
      defer { Delay.step() }
      pthread_mutex_lock(mutex)
      defer { pthread_mutex_unlock(mutex) }
      return try body()
    }
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
