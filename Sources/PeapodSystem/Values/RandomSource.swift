/// A source of random numbers.
///
/// The random functions of the standard library take the source as `inout`, so first store a copy in a variable. Copies of one
/// source continue one sequence.
/// ```swift
/// var random = pod.resolve(.random)
/// let die = Int.random(in: 1...6, using: &random)
/// ```
public struct RandomSource: RandomNumberGenerator, Sendable {
  private let draw: @Sendable () -> UInt64

  /// Creates a source that takes its numbers from a closure.
  ///
  /// - Parameter next: The closure that returns 64 random bits. Any thread may call the closure.
  public init(_ next: @escaping @Sendable () -> UInt64) { draw = next }

  /// Returns the next 64 random bits.
  public func next() -> UInt64 { draw() }
}

extension RandomSource {
  /// The system's random numbers, which are fit for cryptography where `SystemRandomNumberGenerator` is.
  public static let system = RandomSource {
    var generator = SystemRandomNumberGenerator()
    return generator.next()
  }

  /// Returns a source whose sequence depends only on the seed.
  ///
  /// The numbers are those of [SplitMix64](https://prng.di.unimi.it/splitmix64.c) on every platform. They are not fit for
  /// cryptography. Each number is drawn once, however many threads draw at the same time.
  ///
  /// - Parameter seed: The number that selects the sequence.
  /// - Returns: The source.
  public static func seeded(_ seed: UInt64) -> RandomSource {
    let step: UInt64 = 0x9E37_79B9_7F4A_7C15
    let state = SharedCounter(from: seed &+ step, step: step)
    return RandomSource {
      var bits = state.next()
      bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
      bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
      return bits ^ (bits >> 31)
    }
  }
}
