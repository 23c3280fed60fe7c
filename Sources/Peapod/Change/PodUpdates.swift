/// A sequence of the current instance of a provider in a pod, and of each new instance when the answer changes.
///
/// ``Pod/updates(of:)-(Provider<Value>)`` returns this sequence. Each iteration is independent of the others. An iteration resolves in
/// `next()`. So the pod builds an instance for a reader only when the reader is ready, and a slow reader receives only the newest instance.
public struct PodUpdates<Value: Sendable>: AsyncSequence, Sendable {
  /// An instance of the provider.
  public typealias Element = Value
  /// The sequence never fails.
  public typealias Failure = Never

  private let declaration: Declaration
  /// A pod that does not own its state, so that the sequence does not retain the pod.
  private let pod: Pod

  init(_ declaration: Declaration, in pod: Pod) {
    self.declaration = declaration
    self.pod = pod.isOwner ? Pod(handleOf: pod.state) : pod
  }

  /// Returns an iterator that notices every change from now on.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(follower: Follower(declaration, in: pod)) }

  /// One iteration.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let follower: Follower<Value>

    /// Returns the current instance at first, and then the next new instance.
    ///
    /// - Returns: The instance, or `nil` when the pod is deallocated or the task is canceled.
    nonisolated(nonsending)
      public mutating func next() async -> Value?
    {
      await follower.next(isolation: #isolation)
    }

    /// Returns the current instance at first, and then the next new instance.
    ///
    /// - Parameter actor: The caller's isolation. The iteration resolves the provider there, except a main-actor provider.
    /// - Returns: The instance, or `nil` when the pod is deallocated or the task is canceled.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Value? {
      await follower.next(isolation: actor)
    }

    /// Returns the current instance without suspending, for code that shows a first instance at once, such as a view.
    ///
    /// The following `next()` gives the next new instance.
    ///
    /// - Returns: The instance, even if `next()` returned it before.
    @MainActor
    public mutating func current() -> Value { follower.current() }
  }
}
