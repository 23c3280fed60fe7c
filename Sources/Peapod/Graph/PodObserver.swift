/// An object that is notified of the events in a pod and in its descendants.
///
/// Events of one provider arrive in their order. Peapod holds no lock while it calls an observer, so the observer may use
/// pods in any way. Events that an observer causes arrive after it returns.
///
/// Any thread or task may make a call: mostly the thread of the event, but one thread delivers the events of others that happen
/// meanwhile, and after about 100 of them leaves the others to a task or to the next caller. So do not read task-local values or
/// ``Pod/current`` in an observer, since they may belong to another request. An observer must be fast, and give slow work to a
/// task: events wait in a queue without a limit.
///
/// A resolve that builds returns after the observers were notified of the build, unless another thread or a task notifies them. Other
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
  ///
  /// The duration includes the builds of the dependencies. The dependencies include deferred ones.
  case build(ProviderInfo, duration: Duration, dependencies: [ProviderInfo])
  /// A builder threw.
  ///
  /// A dependent whose builder throws the error of its dependency causes a further event. A canceled build fails with the error that
  /// its builder throws, mostly `CancellationError`.
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
  /// Each pair of providers is reported once in a root pod and its descendants. Each member of a family is a provider. After 1,000
  /// pairs, a root pod may report a pair again.
  case captiveDependency(dependent: ProviderInfo, dependency: ProviderInfo)
}
