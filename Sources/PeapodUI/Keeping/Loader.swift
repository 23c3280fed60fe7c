import Observation
import Peapod

/// Decides what a view shows of an asynchronous provider: nothing yet, the value, or the error and a new attempt.
///
/// One loader lives as long as the identity of a view. It begins when it is first asked, since a view that shows nothing
/// while it waits never appears, and stops waiting when it goes. What it has loaded it keeps while the provider and the
/// pod stay the same.
@MainActor
@Observable
final class Loader<Value: Sendable> {
  private enum State {
    /// Nothing was asked for. Next: waiting or done.
    case idle
    /// A task waits for the value. Next: done, waiting for another, or idle after a retry.
    case waiting(LoadRequest<Value>, Task<Void, Never>)
    /// There is a result. Next: waiting for or done with another, or idle after a retry.
    case done(LoadRequest<Value>, Result<Value, any Error>)
  }

  // Not observed: it changes while a view is drawn, which must not redraw it.
  @ObservationIgnored private var state = State.idle
  /// How often there was something new to show.
  private var changes = 0

  deinit {
    if case .waiting(_, let task) = state { task.cancel() }
  }

  /// The task that waits, if one does.
  var task: Task<Void, Never>? {
    guard case .waiting(_, let task) = state else { return nil }
    return task
  }

  /// Returns what there is for a provider in a pod, or `nil` and begins to wait for it.
  func result(for provider: AsyncProvider<Value>, in pod: Pod) -> Result<Value, any Error>? {
    // Whoever draws the result is told of the next one.
    _ = changes
    let request = LoadRequest(provider: provider, pod: pod)
    switch state {
    case .done(request, let result): return result
    case .waiting(request, _): return nil
    case .idle, .waiting, .done: return begin(request)
    }
  }

  /// Makes a new attempt.
  func retry() {
    task?.cancel()
    state = .idle
    changes += 1
  }

  /// Refreshes the provider, and shows the new result when it is there. The result of before is shown until then.
  func reload() async {
    guard case .done(let request, _) = state else {
      if case .waiting(let request, _) = state { request.pod.refresh(request.provider) }
      return retry()
    }
    request.pod.refresh(request.provider)
    let result: Result<Value, any Error>
    do { result = .success(try await request.pod.resolve(request.provider)) } catch { result = .failure(error) }
    // The view may show another provider, or another attempt, by now.
    guard case .done(request, _) = state else { return }
    if Task.isCancelled { return retry() }
    state = .done(request, result)
    changes += 1
  }

  private func begin(_ request: LoadRequest<Value>) -> Result<Value, any Error>? {
    task?.cancel()
    // What is there already is shown at once.
    if let value = request.pod.cachedInstance(of: request.provider) {
      state = .done(request, .success(value))
      return .success(value)
    }
    let task = Task { [weak self] in
      let result: Result<Value, any Error>
      do { result = .success(try await request.pod.resolve(request.provider)) } catch { result = .failure(error) }
      // Another request, a retry or the end of the view has made this one nobody's.
      guard !Task.isCancelled, let self else { return }
      state = .done(request, result)
      changes += 1
    }
    state = .waiting(request, task)
    return nil
  }
}
