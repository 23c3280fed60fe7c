/// Hears of what happens in a pod and in the pods below it.
///
/// Events of one provider come in their order. An observer is called without any lock, on the thread on which the event
/// happened or on one that was telling another event, and may use pods in any way: what it causes is told after it
/// returns. A resolve that builds returns when the observers have heard of that, unless another thread is just telling
/// them of something else; other threads that waited for the same build may go on before. While there is no observer,
/// nothing is paid.
public protocol PodObserver: Sendable {
  /// Called after each event.
  ///
  /// - Parameters:
  ///   - pod: The pod in which it happened. This may be a handle: not the same object as the pod that you made.
  ///   - event: What happened.
  func pod(_ pod: Pod, did event: PodEvent)
}

/// What an observer hears.
public enum PodEvent: Sendable {
  /// An instance was built.
  case build(ProviderInfo, duration: Duration, dependencies: [ProviderInfo])
  /// A builder threw.
  case fail(ProviderInfo, any Error)
  /// An instance that the pod built was let go, after its hook.
  case dispose(ProviderInfo)
  /// A provider or a family was overridden.
  case override(ProviderInfo)
  /// An override was taken back.
  case removeOverride(ProviderInfo)
  /// A scope was cleared; the count is that of the instances that went.
  case clear(scope: String, count: Int)
  /// An instance is kept longer than one that it was built from. Told once for each pair.
  case captiveDependency(dependent: ProviderInfo, dependency: ProviderInfo)
}
