extension Pod {
  // MARK: - Following

  /// Returns a sequence of the current instance of a provider, and of each new instance when the answer changes.
  ///
  /// ```swift
  /// for await client in pod.updates(of: clientProvider) { connect(client) }
  /// ```
  /// An override, a removal, a clear, a refresh or a dispose may change the answer, in this pod or in an ancestor. A class instance that
  /// stays the same is not repeated. The sequence does not retain the pod, and ends when the pod is deallocated.
  ///
  /// - Note: A change wakes every iteration on the affected pods. Each iteration then looks up its answer.
  /// - Parameter provider: The provider to follow. Each iteration resolves it in the isolation of the iteration.
  /// - Returns: The sequence of instances.
  public func updates<Value: Sendable>(of provider: Provider<Value>) -> PodUpdates<Value> {
    PodUpdates(provider.declaration, in: self)
  }

  /// Returns a sequence of the current instance of a main-actor provider, and of each new instance when the answer changes.
  ///
  /// An override, a removal, a clear, a refresh or a dispose may change the answer, in this pod or in an ancestor. A class instance that
  /// stays the same is not repeated. The sequence does not retain the pod, and ends when the pod is deallocated.
  ///
  /// - Parameter provider: The provider to follow. It is resolved on the main actor.
  /// - Returns: The sequence of instances.
  @MainActor
  public func updates<Value: Sendable>(of provider: MainActorProvider<Value>) -> PodUpdates<Value> {
    PodUpdates(provider.declaration, in: self)
  }
}
