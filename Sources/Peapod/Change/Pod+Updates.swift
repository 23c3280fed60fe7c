extension Pod {
  // MARK: - Following

  /// Returns the instances of a provider over time: the current one, and each new one when the answer changes.
  ///
  /// ```swift
  /// for await client in pod.updates(of: clientProvider) { connect(client) }
  /// ```
  /// An override, a removal, a clear, a refresh or a dispose may change the answer, in this pod or in an ancestor. A class instance that
  /// stays the same is not repeated. The sequence does not retain the pod, and ends when the pod is deallocated.
  ///
  /// - Note: A change notifies every iteration on the pods concerned, which then looks up its answer.
  /// - Parameter provider: The provider to follow. The iteration resolves it in its own isolation.
  /// - Returns: The sequence of instances.
  public func updates<Value: Sendable>(of provider: Provider<Value>) -> PodUpdates<Value> {
    PodUpdates(provider.declaration, in: self)
  }

  /// Returns the instances of a main-actor provider over time: the current one, and each new one when the answer changes.
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
