import Synchronization

/// The observation of a pod by one observer.
public final class PodObservation: Sendable {
  // Weak, so that an observation retains nothing of the pod.
  private let state: WeakReference
  private let canceled = Atomic<Bool>(false)

  init(of state: PodState) { self.state = WeakReference(state) }

  /// Ends the observation: the observer receives no further events, except those that are being delivered.
  ///
  /// A second call does nothing.
  public func cancel() {
    canceled.store(true, ordering: .relaxed)
    (state.object as? PodState)?.removeObserver(for: self)
  }

  /// Whether the observation has ended: open override scopes have copies of the observers.
  var isCanceled: Bool { canceled.load(ordering: .relaxed) }
}
