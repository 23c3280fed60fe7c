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

/// Blocks one thread until another thread calls `open()`.
final class Parker: @unchecked Sendable {
  // Safe: `isOpen` is read and written under `mutex` alone; `mutex` and `condition` are allocated once and never moved.
  #if os(Windows)
    private let mutex = UnsafeMutablePointer<SRWLOCK>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<CONDITION_VARIABLE>.allocate(capacity: 1)
  #elseif !os(WASI)
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  #endif
  private var isOpen = false

  init() {
    #if os(Windows)
      InitializeSRWLock(mutex)
      InitializeConditionVariable(condition)
    #elseif !os(WASI)
      mutex.initialize(to: pthread_mutex_t())
      condition.initialize(to: pthread_cond_t())
      pthread_mutex_init(mutex, nil)
      pthread_cond_init(condition, nil)
    #endif
  }

  deinit {
    #if os(Windows)
      mutex.deallocate()
      condition.deallocate()
    #elseif !os(WASI)
      pthread_mutex_destroy(mutex)
      pthread_cond_destroy(condition)
      mutex.deallocate()
      condition.deallocate()
    #endif
  }

  /// Waits until `open()` was called.
  func wait() {
    #if os(Windows)
      AcquireSRWLockExclusive(mutex)
      while !isOpen { SleepConditionVariableSRW(condition, mutex, INFINITE, 0) }
      ReleaseSRWLockExclusive(mutex)
    #elseif os(WASI)
      while !isOpen { fatalError(Failure.waitWithoutThreads()) }
    #else
      pthread_mutex_lock(mutex)
      while !isOpen { pthread_cond_wait(condition, mutex) }
      pthread_mutex_unlock(mutex)
    #endif
  }

  /// Lets the waiting thread continue, now or as soon as it waits.
  func open() {
    #if os(Windows)
      AcquireSRWLockExclusive(mutex)
      isOpen = true
      WakeConditionVariable(condition)
      ReleaseSRWLockExclusive(mutex)
    #elseif os(WASI)
      isOpen = true
    #else
      pthread_mutex_lock(mutex)
      isOpen = true
      pthread_cond_signal(condition)
      pthread_mutex_unlock(mutex)
    #endif
  }
}
