import Observation
import Peapod

/// Resolves an asynchronous provider for a view and stores the result.
///
/// A loader lives as long as the identity of a view. It begins at the first call of `result(for:in:)` and not when the view
/// appears, because a view without content does not appear. It stops waiting when it is deallocated. It stores the result while
/// the provider and the pod stay the same.
@MainActor
@Observable
final class Loader<Value: Sendable> {
  private enum State {
    /// No request. Next: waiting or done.
    case idle
    /// A task waits for the value. Next: done, waiting for another value, or idle after a retry.
    case waiting(LoadRequest<Value>, Task<Void, Never>)
    /// The result of an attempt is stored. Next: waiting for another value, done with a later attempt, or idle after a retry.
    case done(LoadRequest<Value>, Result<Value, any Error>, attempt: Int)
  }

  // Not observed: the state changes while a view is drawn, and must not redraw the view.
  @ObservationIgnored private var state = State.idle
  /// The number of attempts that have begun.
  @ObservationIgnored private var attempts = 0
  /// The number of changes that the view has to show.
  private var changes = 0

  deinit {
    if case .waiting(_, let task) = state { task.cancel() }
  }

  /// The waiting task, if there is one.
  var task: Task<Void, Never>? {
    guard case .waiting(_, let task) = state else { return nil }
    return task
  }

  /// Returns the result of a provider in a pod, or `nil` while a task waits for it.
  func result(for provider: AsyncProvider<Value>, in pod: Pod) -> Result<Value, any Error>? {
    // A view that reads the result is notified of the next change.
    _ = changes
    let request = LoadRequest(provider: provider, pod: pod)
    switch state {
    case .done(request, let result, _): return result
    case .waiting(request, _): return nil
    case .idle, .waiting, .done: return begin(request)
    }
  }

  /// Starts a new attempt.
  func retry() {
    task?.cancel()
    state = .idle
    changes += 1
  }

  /// Refreshes the provider, and shows the new result when it is available.
  ///
  /// The former result is shown until then.
  func reload() async {
    guard case .done(let request, _, _) = state else {
      if case .waiting(let request, _) = state { request.pod.refresh(request.provider) }
      return retry()
    }
    let attempt = nextAttempt()
    request.pod.refresh(request.provider)
    let result: Result<Value, any Error>
    do { result = .success(try await request.pod.resolve(request.provider)) } catch { result = .failure(error) }
    // The view may show another provider, or a later attempt, by now.
    guard case .done(request, _, let stored) = state, stored < attempt else { return }
    if Task.isCancelled { return retry() }
    state = .done(request, result, attempt: attempt)
    changes += 1
  }

  private func nextAttempt() -> Int {
    attempts += 1
    return attempts
  }

  private func begin(_ request: LoadRequest<Value>) -> Result<Value, any Error>? {
    task?.cancel()
    let attempt = nextAttempt()
    // A cached value is shown at once.
    if let value = request.pod.cachedInstance(of: request.provider) {
      state = .done(request, .success(value), attempt: attempt)
      return .success(value)
    }
    let task = Task { [weak self] in
      let result: Result<Value, any Error>
      do { result = .success(try await request.pod.resolve(request.provider)) } catch { result = .failure(error) }
      // Another request, a retry or the end of the view has replaced this request.
      guard !Task.isCancelled, let self else { return }
      state = .done(request, result, attempt: attempt)
      changes += 1
    }
    state = .waiting(request, task)
    return nil
  }
}
