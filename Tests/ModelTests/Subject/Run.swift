/// One world and a program for it.
struct Run: Sendable {
  var world: World
  var operations: [Operation]

  init(seed: UInt64, length: Int) {
    var generator = SplitMix64(seed: seed)
    let world = World(using: &generator)
    self.world = world
    operations = (0..<length).map { _ in Operation(in: world, using: &generator) }
  }

  /// Plays the program; returns the first step at which the library did something else than the model foretold.
  @MainActor
  func firstMismatch(patience: Duration = .seconds(120)) async -> String? {
    let session = Session(world, patience: patience)
    await session.play(toTheEndOf: operations)
    return session.mismatch
  }

  /// The program as Swift source that a person can paste, up to the first mismatch.
  @MainActor
  func source() async -> String {
    let session = Session(world, patience: .seconds(1))
    await session.play(toTheEndOf: operations)
    return session.script.text
  }
}
