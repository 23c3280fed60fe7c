import Peapod
import Synchronization

/// Decides for how long a view has one instance: while its pod and its provider are the same, whatever the scope.
///
/// One keeper lives as long as the identity of a view. SwiftUI may update properties off the main actor, so that asking for
/// the kept instance works everywhere; resolving it, on the first read, is for the main actor.
nonisolated final class InstanceKeeper<Value>: Sendable {
  private let current = Mutex<KeptInstance<Value>?>(nil)

  /// Returns the instance of before, or a new one if the pod or the provider is another.
  ///
  /// Whoever holds the one of before goes on with it: the closures of an older value of the view do.
  ///
  /// `following`: how the view follows the provider; `nil` if the instance stays the same.
  func instance(of source: InstanceSource<Value>, in pod: Pod, following: Following<Value>? = nil) -> KeptInstance<Value> {
    // The one of before is let go after the lock, for its end may run anyone's code.
    let (instance, _) = current.withLock { current in
      if let current, current.pod === pod, current.source == source { return (current, nil as KeptInstance<Value>?) }
      let next = KeptInstance(source, in: pod, following: following)
      defer { current = next }
      return (next, current)
    }
    return instance
  }
}
