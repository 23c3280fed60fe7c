/// The observation of a pod by one observer.
public final class PodObservation: Sendable {
  // Weak, so that an observation retains nothing of the pod.
  private let state: WeakReference

  init(of state: PodState) { self.state = WeakReference(state) }

  /// Ends the observation: the observer receives no further events, except those that are being delivered.
  ///
  /// A second call does nothing.
  public func cancel() { (state.object as? PodState)?.removeObserver(for: self) }
}
