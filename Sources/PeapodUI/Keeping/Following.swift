import Peapod

/// How a view follows a provider: it receives the current instance and each later instance.
nonisolated struct Following<Value>: Sendable {
  /// Returns the current instance, and a task that passes on each later instance.
  ///
  /// The task ends when it is canceled or the pod is deallocated.
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
