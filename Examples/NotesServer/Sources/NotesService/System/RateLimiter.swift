import Synchronization

/// Counts the requests of each address, in a bucket of tokens that fills at a steady rate.
public final class RateLimiter: Sendable {
  private static let mostBuckets = 10_000

  private struct Bucket {
    var tokens: Double
    var filledAt: Timestamp
  }

  private let rate: Rate
  private let clock: WallClock
  private let buckets = Mutex<[String: Bucket]>([:])

  /// Makes a limiter that has seen nobody yet.
  ///
  /// - Parameters:
  ///   - rate: The rate that each address is allowed.
  ///   - clock: Tells the time.
  public init(rate: Rate, clock: WallClock) {
    self.rate = rate
    self.clock = clock
  }

  /// Takes a token from the bucket of an address.
  ///
  /// - Parameter address: The address of the client.
  /// - Throws: `ServiceError.tooMany` if there is none.
  func admit(_ address: String) throws(ServiceError) {
    let now = clock.now
    let wait: Double = buckets.withLock { buckets in
      if buckets.count >= Self.mostBuckets, buckets[address] == nil { makeRoom(in: &buckets, at: now) }
      var bucket = filled(buckets[address] ?? Bucket(tokens: rate.burst, filledAt: now), at: now)
      let lacking = 1 - bucket.tokens
      if lacking <= 0 { bucket.tokens -= 1 }
      buckets[address] = bucket
      return max(0, lacking) / rate.perSecond
    }
    if wait > 0 { throw .tooMany(retryAfterSeconds: Int(wait.rounded(.up))) }
  }

  /// Forgets those who could ask as often as somebody new; then all, if it is still too full to keep memory bounded.
  private func makeRoom(in buckets: inout [String: Bucket], at now: Timestamp) {
    buckets = buckets.filter { filled($0.value, at: now).tokens < rate.burst }
    if buckets.count >= Self.mostBuckets { buckets.removeAll() }
  }

  private func filled(_ bucket: Bucket, at now: Timestamp) -> Bucket {
    let seconds = max(0, Double(now.milliseconds - bucket.filledAt.milliseconds)) / 1000
    return Bucket(tokens: min(rate.burst, bucket.tokens + seconds * rate.perSecond), filledAt: now)
  }
}
