#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#elseif os(Windows)
  import WinSDK
#endif

/// The place where all threads sleep that wait for a lock or for a build.
///
/// Such waits are rare, so the process has one place, and a lock is one word.
enum ParkingPlace {
  // Safe: allocated and initialized once, and never moved or freed.
  #if os(Windows)
    nonisolated(unsafe) private static let mutex = make(SRWLOCK()) { InitializeSRWLock($0) }
    nonisolated(unsafe) private static let condition = make(CONDITION_VARIABLE()) { InitializeConditionVariable($0) }
  #elseif !os(WASI)
    nonisolated(unsafe) private static let mutex = make(pthread_mutex_t()) { pthread_mutex_init($0, nil) }
    nonisolated(unsafe) private static let condition = make(pthread_cond_t()) { pthread_cond_init($0, nil) }
  #endif

  private static func make<Value, Result>(
    _ value: Value, _ initialize: (UnsafeMutablePointer<Value>) -> Result
  ) -> UnsafeMutablePointer<Value> {
    let memory = UnsafeMutablePointer<Value>.allocate(capacity: 1)
    memory.initialize(to: value)
    _ = initialize(memory)
    return memory
  }

  /// Sleeps while a condition holds.
  ///
  /// A thread that makes the condition false calls `wakeAll` afterwards. The condition is called with a lock held, and takes no lock itself.
  static func sleep(while isToWait: () -> Bool) {
    #if os(Windows)
      AcquireSRWLockExclusive(mutex)
      while isToWait() { SleepConditionVariableSRW(condition, mutex, INFINITE, 0) }
      ReleaseSRWLockExclusive(mutex)
    #elseif os(WASI)
      if isToWait() { fatalError(Failure.waitWithoutThreads()) }
    #else
      pthread_mutex_lock(mutex)
      while isToWait() { pthread_cond_wait(condition, mutex) }
      pthread_mutex_unlock(mutex)
    #endif
  }

  /// Wakes every sleeping thread.
  ///
  /// A thread whose condition still holds continues to sleep.
  @inline(never)
  static func wakeAll() {
    #if os(Windows)
      AcquireSRWLockExclusive(mutex)
      WakeAllConditionVariable(condition)
      ReleaseSRWLockExclusive(mutex)
    #elseif !os(WASI)
      pthread_mutex_lock(mutex)
      pthread_cond_broadcast(condition)
      pthread_mutex_unlock(mutex)
    #endif
  }
}
