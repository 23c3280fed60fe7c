/// One world and a list of operations, done by the library and by the model side by side.
struct Run: Sendable {
  var world: World
  var operations: [Operation]

  init(seed: UInt64, length: Int) {
    var generator = SplitMix64(seed: seed)
    let world = World(using: &generator)
    self.world = world
    operations = (0..<length).map { _ in Operation(in: world, using: &generator) }
  }

  /// The first step at which the library did something else than the model foretold.
  struct Mismatch: CustomStringConvertible {
    var step: Int
    var operation: Operation
    var expected: Outcome
    var actual: Outcome

    var description: String {
      """
      step \(step), \(operation)
        expected: \(expected)
        actual:   \(actual)
      """
    }
  }

  @MainActor
  func firstMismatch() -> Mismatch? {
    var model = ReferenceModel(world)
    let subject = Subject(world)
    defer { subject.end() }
    for (step, operation) in operations.enumerated() {
      let expected = model.perform(operation)
      var actual = subject.perform(operation)
      if expected.answer == .unspecified { actual.answer = .unspecified }
      if actual != expected {
        return Mismatch(step: step, operation: operation, expected: expected, actual: actual)
      }
    }
    return nil
  }

  /// Returns a run that fails, too, with as few operations as leaving some out can give.
  @MainActor
  func shrunk() -> Run {
    guard let mismatch = firstMismatch() else { return self }
    var best = self
    best.operations.removeSubrange((mismatch.step + 1)...)
    var size = best.operations.count / 2
    while size > 0 {
      var start = 0
      while start < best.operations.count {
        var attempt = best
        attempt.operations.removeSubrange(start..<min(start + size, best.operations.count))
        if attempt.firstMismatch() != nil { best = attempt } else { start += size }
      }
      size /= 2
    }
    return best
  }
}
