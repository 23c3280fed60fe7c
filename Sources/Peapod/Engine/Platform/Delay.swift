#if PEAPOD_DELAYS && !os(Windows) && !os(WASI)
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

  /// Pauses between the engine's steps, so that rare interleavings of threads occur often.
  ///
  /// For tests only, built with `-Xswiftc -DPEAPOD_DELAYS` and run with a number as `PEAPOD_DELAY_SEED` in the environment. The same number
  /// repeats the choices of each thread, but not the scheduling by the system. Without the variable there are no pauses, so one build
  /// serves both kinds of runs.
  enum Delay {
    private static let seed: UInt64? = {
      guard let seed = getenv("PEAPOD_DELAY_SEED").flatMap({ UInt64(String(cString: $0)) }) else { return nil }
      CurrentThread.writeError("Pauses between the steps of Peapod, PEAPOD_DELAY_SEED=\(seed)")
      return seed
    }()

    private static let threads = Atomic<UInt64>(0)

    /// Holds the state of each thread's generator in place of an address; nothing is freed with the thread.
    private static let key: pthread_key_t = {
      var key = pthread_key_t()
      pthread_key_create(&key, nil)
      return key
    }()

    private static let increment: UInt = 0x9E37_79B9_7F4A_7C15

    /// Mostly does nothing, sometimes lets another thread run, seldom sleeps for some microseconds.
    static func step() {
      guard let seed else { return }
      var state = UInt(bitPattern: pthread_getspecific(key))
      if state == 0 { state = UInt(seed &+ threads.wrappingAdd(1, ordering: .relaxed).newValue) &* increment }
      state &+= increment
      pthread_setspecific(key, UnsafeRawPointer(bitPattern: state))
      let choice = mixed(state)
      switch choice & 127 {
      case 0: sleep(microseconds: Int(choice >> 8 & 31))
      case 1...8: sched_yield()
      default: break
      }
    }

    /// SplitMix64.
    private static func mixed(_ state: UInt) -> UInt {
      var word = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
      word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
      return word ^ word >> 31
    }

    private static func sleep(microseconds: Int) {
      var time = timespec(tv_sec: 0, tv_nsec: microseconds * 1000)
      nanosleep(&time, nil)
    }
  }
#else
  /// Does nothing, except in test builds with pauses between the engine's steps.
  enum Delay {
    @inline(__always)
    static func step() {}
  }
#endif
