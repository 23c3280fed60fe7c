import Dispatch
import Synchronization

/// Computes the hashes of passwords, one at a time, away from the threads that answer requests.
///
/// Slow as they are on purpose, they would otherwise keep every core busy whenever a few people sign in.
public final class PasswordHasher: Sendable {
  private static let mostWaiting = 16

  private let cost: PasswordCost
  private let random: RandomSource
  private let queue = DispatchQueue(label: "passwords", qos: .utility)
  private let waiting = Mutex(0)

  /// Makes a hasher.
  ///
  /// - Parameters:
  ///   - cost: How slow new hashes are to compute.
  ///   - random: Makes their salts.
  public init(cost: PasswordCost, random: RandomSource) {
    self.cost = cost
    self.random = random
  }

  /// Returns what to store of a password.
  func hash(_ credentials: Credentials) async throws -> PasswordHash {
    let salt = random.bytes(PasswordHash.saltLength)
    return try await inTurn { [cost] in try PasswordHash(of: credentials.passwordBytes, salt: salt, cost: cost) }
  }

  /// Returns whether a password is the one that was stored; without a stored one it takes as long, and says no.
  func isCorrect(_ credentials: Credentials, _ stored: PasswordHash?) async throws -> Bool {
    guard let stored else {
      _ = try await hash(credentials)
      return false
    }
    return try await inTurn { try stored.matches(credentials.passwordBytes) }
  }

  private func inTurn<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
    let mayWait = waiting.withLock { waiting in
      guard waiting < Self.mostWaiting else { return false }
      waiting += 1
      return true
    }
    guard mayWait else { throw ServiceError.busy }
    defer { waiting.withLock { $0 -= 1 } }
    return try await withCheckedThrowingContinuation { continuation in
      queue.async { continuation.resume(with: Swift.Result(catching: work)) }
    }
  }
}
