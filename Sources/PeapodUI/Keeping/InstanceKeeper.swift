import Peapod
import Synchronization

/// Stores the instance of a view while its pod and its provider stay the same.
///
/// A keeper lives as long as the identity of a view. SwiftUI may update properties off the main actor, so any thread may
/// call `instance(of:in:)`. The first read of the instance resolves it on the main actor.
nonisolated final class InstanceKeeper<Value>: Sendable {
  private let current = Mutex<KeptInstance<Value>?>(nil)

  /// Returns the stored instance, or a new instance if the pod or the provider has changed.
  ///
  /// Closures of an earlier value of the view retain the earlier instance.
  ///
  /// `following`: how the view follows the provider, or `nil` if the view does not follow it.
  func instance(of source: InstanceSource<Value>, in pod: Pod, following: Following<Value>? = nil) -> KeptInstance<
    Value
  > {
    // The earlier instance is released after the lock, because its deinit may run user code.
    let (instance, _) = current.withLock { current in
      if let current, current.pod === pod, current.source == source { return (current, nil as KeptInstance<Value>?) }
      let next = KeptInstance(source, in: pod, following: following)
      defer { current = next }
      return (next, current)
    }
    return instance
  }
}
