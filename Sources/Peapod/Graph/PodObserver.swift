/// An object that is notified of the events in a pod and in its descendants.
///
/// Events of one provider arrive in their order. Peapod holds no lock while it calls an observer, so the observer may use
/// pods in any way. Events that an observer causes arrive after it returns. Any thread or task may make a call: mostly the thread
/// of the event, but one thread delivers the events of others that happen meanwhile.
///
/// A resolve that builds returns after the observers were notified of the build, unless another thread is notifying them. Other
/// threads that waited for the same build may continue before the observers are notified. Events end when the last reference to
/// the pod is released.
public protocol PodObserver: Sendable {
  /// Receives an event.
  ///
  /// - Parameters:
  ///   - pod: The pod of the event. This reference stands for the pod that you made, but `===` between the two
  ///     references may be `false`. To tell pods apart, give child pods names, and compare ``Pod/name``.
  ///   - event: The event.
  func pod(_ pod: Pod, did event: PodEvent)
}

/// An event of a pod.
public enum PodEvent: Sendable {
  /// A builder returned an instance.
  case build(ProviderInfo, duration: Duration, dependencies: [ProviderInfo])
  /// A builder threw.
  case fail(ProviderInfo, any Error)
  /// An instance that the pod built was disposed, after its disposal closure.
  case dispose(ProviderInfo)
  /// A provider or a family was overridden.
  case override(ProviderInfo)
  /// An override was removed.
  case removeOverride(ProviderInfo)
  /// A scope was cleared.
  ///
  /// The count is the number of disposed instances of the scope and of its child scopes. Constant overrides are not counted.
  case clear(scope: String, count: Int)
  /// An instance stays cached longer than one of its dependencies.
  ///
  /// Each pair is reported once in a root pod and its descendants.
  case captiveDependency(dependent: ProviderInfo, dependency: ProviderInfo)
}
