import Foundation

/// A request in a task of its own.
final class AnswerRequest: Sendable {
  private let result = Locked<Answer?>(nil)
  private let end = DispatchSemaphore(value: 0)
  private let task = Locked<Task<Void, Never>?>(nil)

  init(_ resolve: @escaping @Sendable () async throws -> Answer) {
    let task = Task { [self] in
      let answer: Answer
      do { answer = try await resolve() } catch { answer = Answer("\(error)", isFailure: true) }
      result.withLock { $0 = answer }
      end.signal()
    }
    self.task.withLock { $0 = task }
  }

  func cancel() { task.withLock { $0 }?.cancel() }

  var hasEnded: Bool { result.withLock { $0 != nil } }

  /// Blocks until the request is answered.
  ///
  /// Its task can wait for half a minute behind the other tests, which all begin at once.
  var answer: Answer {
    guard end.wait(timeout: .now() + TimeInterval(patience.components.seconds)) == .success else {
      return Answer("nothing: it hangs", isFailure: true)
    }
    end.signal()
    return result.withLock { $0! }
  }
}
