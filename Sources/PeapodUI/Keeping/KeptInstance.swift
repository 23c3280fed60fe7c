import Peapod

/// The instance of one provider in one pod for a view, resolved when it is first read.
@MainActor
final class KeptInstance<Value> {
  nonisolated let source: InstanceSource<Value>
  nonisolated let pod: Pod

  private enum State {
    /// Not read yet. Next: resolved.
    case untouched
    /// Resolved. No state follows.
    case resolved(Value)
  }

  private var state = State.untouched

  nonisolated init(_ source: InstanceSource<Value>, in pod: Pod) {
    self.source = source
    self.pod = pod
  }

  var value: Value {
    if case .resolved(let value) = state { return value }
    let value = source.resolve(in: pod)
    state = .resolved(value)
    return value
  }
}
