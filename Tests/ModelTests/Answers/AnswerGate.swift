import Foundation

/// Holds one async builder between two of its requests, so that what happens meanwhile happens at a known point.
final class AnswerGate: Sendable {
  private struct State {
    /// How many times builders pass before one is held.
    var passes: Int
    var place: [Int]?
    var held: CheckedContinuation<Void, Never>?
  }

  /// The numbers of the requests that lead to the running builder, in the task of a request that is to be held.
  @TaskLocal static var place: [Int]?

  private let state: Locked<State>
  private let arrival = DispatchSemaphore(value: 0)

  init(passes: Int) { state = Locked(State(passes: passes)) }

  /// Holds the builder, if it is the one to be held; `number`: that of its next request.
  func pass(at place: [Int]) async {
    let holds = state.withLock { state in
      state.passes -= 1
      if state.passes == -1 { state.place = place }
      return state.passes == -1
    }
    guard holds else { return }
    await withCheckedContinuation { continuation in
      state.withLock { $0.held = continuation }
      arrival.signal()
    }
  }

  /// Says that the request has been answered, held or not.
  func end() { arrival.signal() }

  /// Blocks until a builder is held, and returns its place; `nil` if the request was answered before.
  func waitForArrival() -> [Int]? {
    _ = arrival.wait(timeout: .now() + TimeInterval(patience.components.seconds))
    return state.withLock { $0.place }
  }

  func open() {
    let held = state.withLock { state in
      defer { state.held = nil }
      return state.held
    }
    held?.resume()
  }
}
