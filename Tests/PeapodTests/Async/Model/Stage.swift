import Foundation

/// Where the model-based test of async providers runs: the driver and all builders share this one actor.
///
/// Between two suspensions nothing else happens, so the naive model can say exactly what each operation leads to.
@globalActor
actor Stage {
  static let shared = Stage()
}

/// A small generator whose seed makes a run repeatable.
struct Dice: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }

  mutating func chance(_ percent: Int) -> Bool { below(100) < percent }

  /// The seed of `PEAPOD_SEED`, else one of the system.
  static func seed() -> UInt64 {
    ProcessInfo.processInfo.environment["PEAPOD_SEED"].flatMap { UInt64($0) } ?? UInt64.random(in: 0..<1_000_000_000)
  }
}
