import Synchronization

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
#elseif canImport(WASILibc)
  import WASILibc
#endif

/// The running thread: its innermost build frame, whether it is the main thread, and standard error.
///
/// A synchronous build runs on one thread, so the frames of such builds are stored with the thread. The frames distinguish a builder that
/// resolves its own provider, which is a cycle, from another thread that has to wait.
enum CurrentThread {
  #if os(Windows)
    private static let key = TlsAlloc()

    /// The frame of the innermost synchronous build of the running thread.
    @inline(__always)
    static var frame: UnsafeMutablePointer<Frame>? {
      // Safe: only addresses of frames are set.
      get { TlsGetValue(key)?.assumingMemoryBound(to: Frame.self) }
      set { TlsSetValue(key, newValue) }
    }
  #elseif os(WASI)
    // Safe: there is one thread.
    nonisolated(unsafe) static var frame: UnsafeMutablePointer<Frame>?
  #else
    private static let key: pthread_key_t = {
      var key = pthread_key_t()
      pthread_key_create(&key, nil)
      return key
    }()

    /// The frame of the innermost synchronous build of the running thread.
    @inline(__always)
    static var frame: UnsafeMutablePointer<Frame>? {
      // Safe: only addresses of frames are set.
      get { pthread_getspecific(key)?.assumingMemoryBound(to: Frame.self) }
      set { pthread_setspecific(key, newValue) }
    }
  #endif

  /// The number of the running thread; never zero.
  @inline(__always)
  static var id: UInt {
    #if os(Windows)
      UInt(GetCurrentThreadId())
    #elseif os(WASI)
      1
    #else
      // Safe: one word, a number or an address as the platform has it.
      withUnsafeBytes(of: pthread_self()) { $0.load(as: UInt.self) }
    #endif
  }

  /// Whether the main actor runs on this thread.
  ///
  /// `false` may be wrong on a platform that does not provide this information.
  static var isMain: Bool {
    #if canImport(Darwin)
      return pthread_main_np() != 0
    #elseif os(Linux) || os(Android)
      // Once `main` has ended in `dispatchMain`, as every asynchronous `main` does, any thread may serve the main queue. The addresses
      // of the two labels are compared.
      guard let mainQueue else { return isInitial }
      let known = initialID.load(ordering: .relaxed)
      guard mainQueue.currentLabel(nil) == mainQueue.label else {
        // The initial thread serves the main queue, and runs a block of another queue, as in `DispatchQueue.sync`.
        return known == id
      }
      if known == 0 { initialID.store(isInitial ? id : .max, ordering: .relaxed) }
      return true
    #elseif os(WASI)
      return true
    #else
      return false
    #endif
  }

  #if os(Linux) || os(Android)
    /// The number of the initial thread, if the main queue was found on this thread; zero before the main queue was found.
    private static let initialID = Atomic<UInt>(0)

    /// The number of the thread in which the process began, once `isInitial` was read there.
    private static let firstThread = Atomic<UInt>(0)

    /// Whether this is the thread in which the process began.
    private static var isInitial: Bool {
      let known = firstThread.load(ordering: .relaxed)
      // Without the system calls, which a program without Dispatch as a library would make in every build.
      if known != 0 { return known == id }
      let isInitial = threadID.map { $0() == getpid() } ?? false
      if isInitial { firstThread.store(id, ordering: .relaxed) }
      return isInitial
    }

    /// `gettid`, which not every C library's module declares.
    ///
    /// In the main thread, `gettid` returns the number of the process.
    private static let threadID: (@convention(c) () -> Int32)? =
      // Safe: a function without arguments that returns a pid_t, in every C library of Linux.
      dlsym(nil, "gettid").map { unsafeBitCast($0, to: (@convention(c) () -> Int32).self) }

    /// The main queue, which is the main actor's executor, in a process that loads Dispatch as a library.
    private struct MainQueue: @unchecked Sendable {
      // Safe: constants; the label is never written to.
      /// `dispatch_queue_get_label`; `nil` stands for the current queue.
      let currentLabel: @convention(c) (UnsafeRawPointer?) -> UnsafePointer<CChar>?
      let label: UnsafePointer<CChar>
    }

    private static let mainQueue: MainQueue? = {
      guard let getLabel = dlsym(nil, "dispatch_queue_get_label"), let queue = dlsym(nil, "_dispatch_main_q") else {
        return nil
      }
      // Safe: the signature in Dispatch's header, and the queue that `dispatch_get_main_queue` returns there.
      let currentLabel = unsafeBitCast(
        getLabel, to: (@convention(c) (UnsafeRawPointer?) -> UnsafePointer<CChar>?).self)
      return currentLabel(queue).map { MainQueue(currentLabel: currentLabel, label: $0) }
    }()
  #endif

  static func writeError(_ text: String) {
    var line = text + "\n"
    line.withUTF8 { bytes in
      #if os(Windows)
        _ = _write(2, bytes.baseAddress, UInt32(bytes.count))
      #else
        _ = write(2, bytes.baseAddress, bytes.count)
      #endif
    }
  }
}

/// A clock that never goes back, read twice for each build.
///
/// `ContinuousClock` computes with 128 bits, so a difference takes as long as a reading of the time.
enum MonotonicClock {
  /// The time, in nanoseconds.
  @inline(__always)
  static var now: Int64 {
    #if canImport(Darwin)
      return Int64(bitPattern: clock_gettime_nsec_np(CLOCK_MONOTONIC_RAW))
    #elseif canImport(Glibc) || canImport(Musl) || canImport(Android)
      var time = timespec()
      clock_gettime(CLOCK_MONOTONIC, &time)
      return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    #else
      let (seconds, attoseconds) = (ContinuousClock.now - start).components
      return seconds &* 1_000_000_000 &+ attoseconds / 1_000_000_000
    #endif
  }

  #if !canImport(Darwin) && !canImport(Glibc) && !canImport(Musl) && !canImport(Android)
    /// One second before the first reading, so that no time is zero or less.
    private static let start = ContinuousClock.now - .seconds(1)
  #endif
}

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

/// Pauses between the engine's steps, so that rare interleavings of threads occur often.
///
/// For tests only, built with `-Xswiftc -DPEAPOD_DELAYS` and run with `PEAPOD_DELAYS` in the environment. Without the variable there are no
/// pauses, so one build serves both kinds of runs. In other builds, nothing happens.
enum Delay {
  #if PEAPOD_DELAYS && !os(Windows) && !os(WASI)
    private static let isOn: Bool = {
      guard getenv("PEAPOD_DELAYS") != nil else { return false }
      CurrentThread.writeError("There are pauses between the steps of Peapod.")
      return true
    }()

    /// Mostly does nothing, sometimes lets another thread run, seldom sleeps for some microseconds.
    static func step() {
      guard isOn else { return }
      // The lowest digits of the time are as good as random.
      let choice = UInt64(bitPattern: MonotonicClock.now) &* 0x9E37_79B9_7F4A_7C15 >> 40
      switch choice & 127 {
      case 0: usleep(UInt32(choice >> 8 & 31))
      case 1...8: sched_yield()
      default: break
      }
    }
  #else
    @inline(__always)
    static func step() {}
  #endif
}
