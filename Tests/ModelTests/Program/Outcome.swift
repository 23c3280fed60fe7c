/// What a step came to.
struct Outcome: Equatable, Sendable {
  enum Failure: Equatable, Sendable {
    case planned(node: Int)
    case cancelled
  }

  enum Answer: Equatable, Sendable {
    case none
    case instance(serial: Int)
    case failure(Failure)
    case look(isCached: Bool, serial: Int?)
    /// What a holder's handles gave.
    case handles(of: Int, [Int])
    /// The rules leave open what is answered.
    case unspecified
  }

  /// What user code was called for.
  enum Event: Equatable, Sendable {
    case built(serial: Int, Member, definition: Int, parts: [Int])
    case failed(Member, definition: Int)
    case disposed(serial: Int)

    var isDisposal: Bool { if case .disposed = self { true } else { false } }
  }

  var answer = Answer.none
  /// In order, where no async hook and no other task has a part in it.
  var events: [Event] = []
  /// What is said of tasks that were begun, by their number.
  var answers: [Int: Answer] = [:]
  /// The async builders that wait at their gates.
  var gates: Set<String> = []
  /// How many instances are alive after the step.
  var liveCount = 0
  /// How many tasks were begun.
  var begun = 0
  /// How many of them have no answer yet.
  var tasks = 0
}
