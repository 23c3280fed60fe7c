/// An instance that says what it was built from.
final class Answer: Sendable {
  let text: String
  let deferred: [@Sendable () -> Answer]

  init(_ text: String, deferred: [@Sendable () -> Answer] = []) {
    self.text = text
    self.deferred = deferred
  }
}
