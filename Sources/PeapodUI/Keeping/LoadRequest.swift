import Peapod

/// A request of a view: an asynchronous provider, in a pod.
nonisolated struct LoadRequest<Value: Sendable>: Equatable, Sendable {
  let provider: AsyncProvider<Value>
  let pod: Pod

  static func == (left: Self, right: Self) -> Bool {
    left.provider == right.provider && left.pod === right.pod
  }
}
