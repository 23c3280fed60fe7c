/// An instance that says what it was built from.
final class Answer: Sendable {
  let text: String
  /// Whether it stands for an error.
  let isFailure: Bool
  /// What it was built from by plain requests, which its pod would answer in the same way.
  let parts: [(node: Int, answer: Answer)]
  let deferred: [@Sendable () -> Answer]

  init(
    _ text: String, isFailure: Bool = false, parts: [(node: Int, answer: Answer)] = [],
    deferred: [@Sendable () -> Answer] = []
  ) {
    self.text = text
    self.isFailure = isFailure
    self.parts = parts
    self.deferred = deferred
  }
}
