import Foundation
import Testing

/// Work on a thread of its own, where it may block without taking a thread from the concurrency pool.
final class Worker<Result: Sendable>: Sendable {
  private enum State {
    /// Not finished. Next: finished.
    case running([CheckedContinuation<Result, any Error>])
    /// Finished, or given up. Nothing follows.
    case finished(Swift.Result<Result, any Error>)
  }

  private let state = Locked(State.running([]))
  private let done = Gate()

  init(stackBytes: Int? = nil, _ body: @escaping @Sendable () throws -> Result) {
    let thread = Thread { [self] in finish(Swift.Result(catching: body)) }
    if let stackBytes { thread.stackSize = stackBytes }
    thread.start()
    DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(Int(patience.components.seconds))) { [weak self] in
      self?.finish(.failure(Stuck("a thread did not finish")))
    }
  }

  /// Returns what the work returned; throws what it threw, or `Stuck` where it does not end.
  func value() async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      let result = state.withLock { state -> Swift.Result<Result, any Error>? in
        switch state {
        case .running(let waiters):
          state = .running(waiters + [continuation])
          return nil
        case .finished(let result):
          return result
        }
      }
      if let result { continuation.resume(with: result) }
    }
  }

  /// Blocks the calling thread until the work is done; for threads and builders, which cannot suspend.
  func join() throws -> Result {
    done.wait()
    guard case .finished(let result) = state.withLock({ $0 }) else { throw Stuck("a thread did not finish") }
    return try result.get()
  }

  private func finish(_ result: Swift.Result<Result, any Error>) {
    let waiters = state.withLock { state -> [CheckedContinuation<Result, any Error>] in
      guard case .running(let waiters) = state else { return [] }
      state = .finished(result)
      return waiters
    }
    done.open()
    for waiter in waiters { waiter.resume(with: result) }
  }
}

/// Runs a body that may block on a thread of its own and returns what it returns.
func blocking<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
  try await Worker(body).value()
}

/// Runs a body on a number of threads that all start at the same moment, and returns their results in order.
@discardableResult
func runThreads<Result: Sendable>(
  _ count: Int, _ body: @escaping @Sendable (Int) throws -> Result
) async throws -> [Result] {
  let start = Barrier(count)
  let workers = (0..<count).map { index in
    Worker {
      start.arrive()
      return try body(index)
    }
  }
  var results: [Result] = []
  for worker in workers { results.append(try await worker.value()) }
  return results
}
