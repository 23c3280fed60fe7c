import Peapod

/// What one provider gave to a view in one pod: resolved when it is first read, and the same from then on.
@MainActor
final class KeptInstance<Value> {
  nonisolated let source: InstanceSource<Value>
  nonisolated let pod: Pod

  private enum State {
    /// Not read so far. Next: resolved.
    case untouched
    /// Read before. Nothing follows.
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
