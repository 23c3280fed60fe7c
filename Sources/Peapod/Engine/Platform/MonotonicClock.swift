#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

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
    private static let start = ContinuousClock.now
  #endif
}
