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

/// What the engine needs of the platform: the running thread's build frame, waiting for another thread, standard error.
///
/// A synchronous build lies wholly on one thread, so the chain of such builds is kept with the thread. That is what tells
/// a builder that asks for itself from another thread that asks for the same provider and merely has to wait.
enum ThreadContext {
  #if os(Windows)
    private static let key = TlsAlloc()

    /// The outermost synchronous build of the running thread.
    @inline(__always)
    static var bottom: UnsafeMutablePointer<Frame>? {
      // Safe: only addresses of frames are set.
      get { TlsGetValue(key)?.assumingMemoryBound(to: Frame.self) }
      set { TlsSetValue(key, newValue) }
    }
  #elseif os(WASI)
    // Safe: there is one thread.
    nonisolated(unsafe) static var bottom: UnsafeMutablePointer<Frame>?
  #else
    /// One more than the key, or zero before there is one: a plain load, where a lazy constant would be a call.
    private static let keyPlusOne = Atomic<UInt>(0)

    private static var key: pthread_key_t {
      @inline(__always) get {
        let known = keyPlusOne.load(ordering: .relaxed)
        return known != 0 ? pthread_key_t(known &- 1) : makeKey()
      }
    }

    @inline(never)
    private static func makeKey() -> pthread_key_t {
      var key = pthread_key_t()
      pthread_key_create(&key, nil)
      let (isFirst, known) = keyPlusOne.compareExchange(
        expected: 0, desired: UInt(key) + 1, ordering: .acquiringAndReleasing)
      guard !isFirst else { return key }
      pthread_key_delete(key)
      return pthread_key_t(known - 1)
    }

    /// The outermost synchronous build of the running thread.
    @inline(__always)
    static var bottom: UnsafeMutablePointer<Frame>? {
      // Safe: only addresses of frames are set.
      get { pthread_getspecific(key)?.assumingMemoryBound(to: Frame.self) }
      set { pthread_setspecific(key, newValue) }
    }
  #endif

  /// What tells the running thread from others; never zero.
  @inline(__always)
  static var id: UInt {
    #if os(Windows)
      UInt(GetCurrentThreadId())
    #elseif os(WASI)
      1
    #elseif canImport(Darwin)
      UInt(bitPattern: pthread_self())
    #else
      UInt(pthread_self())
    #endif
  }

  /// Whether the main actor runs here.
  ///
  /// A `false` may be wrong where the platform does not tell.
  static var isMain: Bool {
    #if canImport(Darwin)
      return pthread_main_np() != 0
    #elseif os(Linux) || os(Android)
      if isInitialThread { return true }
      // Once `main` has ended in `dispatchMain`, as every asynchronous `main` does, any thread may serve the main queue. What is
      // compared is the address of the text.
      return mainQueue.map { $0.currentLabel(nil) == $0.label } ?? false
    #elseif os(Windows)
      return GetCurrentThreadId() == mainThread
    #else
      return true
    #endif
  }

  #if os(Linux) || os(Android)
    /// Whether this is the thread in which the process began.
    ///
    /// To ask the system takes a hundred times as long as to look at what was noted.
    private static var isInitialThread: Bool {
      @inline(__always) get {
        let known = initialID.load(ordering: .relaxed)
        return known != 0 ? known == id : isFoundInitial
      }
    }

    /// The thread in which the process began, once it was seen; else zero.
    ///
    /// No other thread gets its number, though it may end.
    private static let initialID = Atomic<UInt>(0)

    /// The same while that thread was not seen.
    @inline(never)
    private static var isFoundInitial: Bool {
      guard initialKey.flatMap({ pthread_getspecific($0) }) == nil else { return false }
      if threadID.map({ $0() == getpid() }) ?? false {
        initialID.store(id, ordering: .relaxed)
        return true
      }
      if let initialKey { pthread_setspecific(initialKey, UnsafeRawPointer(bitPattern: 1)) }
      return false
    }

    /// With which each thread that is not the initial one notes so.
    private static let initialKey: pthread_key_t? = {
      var key = pthread_key_t()
      return pthread_key_create(&key, nil) == 0 ? key : nil
    }()

    /// `gettid`, which not every C library's module declares.
    ///
    /// The main thread's is the number of the process.
    private static let threadID: (@convention(c) () -> Int32)? =
      // Safe: a function without arguments that returns a pid_t, in every C library of Linux.
      dlsym(nil, "gettid").map { unsafeBitCast($0, to: (@convention(c) () -> Int32).self) }

    /// The main queue, where the process has Dispatch: the main actor's executor.
    private struct MainQueue: @unchecked Sendable {
      // Safe: constants; nobody writes to the text.
      /// `dispatch_queue_get_label`; `nil` asks for the current queue.
      let currentLabel: @convention(c) (UnsafeRawPointer?) -> UnsafePointer<CChar>?
      let label: UnsafePointer<CChar>
    }

    private static let mainQueue: MainQueue? = {
      guard let getLabel = dlsym(nil, "dispatch_queue_get_label"), let queue = dlsym(nil, "_dispatch_main_q") else {
        return nil
      }
      // Safe: the signature in Dispatch's header, and what `dispatch_get_main_queue` gives there.
      let currentLabel = unsafeBitCast(
        getLabel, to: (@convention(c) (UnsafeRawPointer?) -> UnsafePointer<CChar>?).self)
      return currentLabel(queue).map { MainQueue(currentLabel: currentLabel, label: $0) }
    }()
  #endif

  #if os(Windows)
    private static let mainThread = GetCurrentThreadId()
  #endif

  /// Writes a line to standard error.
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

/// Blocks one thread until another lets it go on.
final class Parker: @unchecked Sendable {
  // Safe: `isOpen` is read and written under `mutex` alone; both are allocated once and never moved.
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

  /// Lets the waiting thread go on, now or when it comes to wait.
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
