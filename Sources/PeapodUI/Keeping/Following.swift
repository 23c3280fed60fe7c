import Peapod

/// How a view follows a provider: it gets the instance of now, and each later one.
nonisolated struct Following<Value>: Sendable {
  /// Returns the instance of now, and the task that passes on each later one until it is canceled or the pod is deallocated.
  let begin: @MainActor @Sendable (Pod, @escaping @MainActor (Value) -> Void) -> (Value, Task<Void, Never>)
}

extension Following where Value: Sendable {
  nonisolated init(_ source: InstanceSource<Value>) {
    begin = { pod, receive in
      let updates =
        switch source {
        case .provider(let provider): pod.updates(of: provider)
        case .mainActorProvider(let provider): pod.updates(of: provider)
        }
      var iterator = updates.makeAsyncIterator()
      let value = iterator.current()
      let task = Task { @MainActor [iterator] in
        var iterator = iterator
        while let next = await iterator.next() { receive(next) }
      }
      return (value, task)
    }
  }
}
