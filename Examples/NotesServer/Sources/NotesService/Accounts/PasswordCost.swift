/// How much computing and memory it takes to try one password with scrypt.
public struct PasswordCost: Hashable, Sendable {
  /// N, a power of two.
  public var rounds: Int
  /// r.
  public var blockSize: Int
  /// p.
  public var parallelism: Int

  /// Makes a cost.
  ///
  /// - Parameters:
  ///   - rounds: N, a power of two.
  ///   - blockSize: r.
  ///   - parallelism: p.
  public init(rounds: Int, blockSize: Int, parallelism: Int) {
    self.rounds = rounds
    self.blockSize = blockSize
    self.parallelism = parallelism
  }

  /// The one that OWASP recommends for 32 MiB of memory.
  public static let recommended = PasswordCost(rounds: 1 << 15, blockSize: 8, parallelism: 3)
}
