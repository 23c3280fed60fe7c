import Observation
import Peapod

/// The instance of one provider in one pod for a view, resolved when it is first read.
///
/// It changes if the view follows the provider.
@MainActor
@Observable
final class KeptInstance<Value> {
  @ObservationIgnored nonisolated let source: InstanceSource<Value>
  @ObservationIgnored nonisolated let pod: Pod
  @ObservationIgnored nonisolated private let following: Following<Value>?

  private enum State {
    /// Not read yet. Next: resolved.
    case untouched
    /// Resolved. Next, if the view follows the provider: resolved with another instance.
    case resolved(Value)
  }

  // Not observed: the first read, while a view is drawn, must not redraw the view.
  @ObservationIgnored private var state = State.untouched
  /// The number of new instances that a view that follows the provider has received.
  private var changes = 0
  /// The task that follows the provider.
  @ObservationIgnored private var task: Task<Void, Never>?

  nonisolated init(_ source: InstanceSource<Value>, in pod: Pod, following: Following<Value>? = nil) {
    self.source = source
    self.pod = pod
    self.following = following
  }

  deinit { task?.cancel() }

  var value: Value {
    if following != nil { _ = changes }
    if case .resolved(let value) = state { return value }
    let value = resolve()
    state = .resolved(value)
    return value
  }

  private func resolve() -> Value {
    guard let following else { return source.resolve(in: pod) }
    let (value, task) = following.begin(pod) { [weak self] value in
      guard let self else { return }
      state = .resolved(value)
      changes += 1
    }
    self.task = task
    return value
  }
}
