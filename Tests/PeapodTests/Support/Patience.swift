import Foundation
import Testing

/// How long a test waits for something that must happen before it reports a hang.
let patience: Duration = .seconds(600)

/// What is thrown where something that must happen did not.
struct Stuck: Error, CustomStringConvertible {
  var description: String

  init(_ description: String) {
    self.description = description
  }
}

/// Waits, without blocking a thread, until a condition holds; reports an issue if it never does.
func eventually(
  _ what: Comment, sourceLocation: SourceLocation = #_sourceLocation, isolation: isolated (any Actor)? = #isolation,
  _ condition: () -> Bool
) async {
  let end = ContinuousClock.now + patience
  while !condition() {
    guard ContinuousClock.now < end else {
      Issue.record("never happened: \(what)", sourceLocation: sourceLocation)
      return
    }
    await Task.yield()
  }
}

/// Blocks the calling thread, giving way to others, until a condition holds; reports an issue if it never does.
func spin(sourceLocation: SourceLocation = #_sourceLocation, until condition: () -> Bool) {
  let end = ContinuousClock.now + patience
  while !condition() {
    guard ContinuousClock.now < end else {
      Issue.record("never happened", sourceLocation: sourceLocation)
      return
    }
    sched_yield()
  }
}
