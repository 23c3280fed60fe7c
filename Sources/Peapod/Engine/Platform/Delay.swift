#if PEAPOD_DELAYS && !os(Windows) && !os(WASI)
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
  /// For tests only, built with `-Xswiftc -DPEAPOD_DELAYS` and run with `PEAPOD_DELAYS` in the environment. Without the variable there are no
  /// pauses, so one build serves both kinds of runs.
  enum Delay {
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
  }
#else
  /// Does nothing, except in test builds with pauses between the engine's steps.
  enum Delay {
    @inline(__always)
    static func step() {}
  }
#endif
