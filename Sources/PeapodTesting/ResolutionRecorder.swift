import Peapod
import Synchronization

/// An observer that records what a pod builds, how often, and in which order.
///
/// ```swift
/// let recorder = ResolutionRecorder(observing: .current)
/// _ = Pod.current.resolve(apiProvider)
/// _ = Pod.current.resolve(apiProvider)
/// #expect(recorder.buildCount(of: apiProvider) == 1)
/// #expect(recorder.builds.map(\.id) == [configProvider.id, apiProvider.id])
/// ```
///
/// The recorder records from the moment when it is added, in the order in which builds end. So a dependency comes before its
/// dependent. The recorder also records the events of child pods, and is thread-safe.
///
/// While other threads resolve in the same pod, one of them may be notifying the recorder. Then `resolve` may return before the
/// recorder counts the build, and ``buildCount(of:)`` may be too low for a moment.
public final class ResolutionRecorder: PodObserver {
  private let recorded = Mutex<[PodEvent]>([])

  /// Creates a recorder to pass to `Pod(_:observers:)` or `addObserver(_:)`.
  public init() {}

  /// Creates a recorder and adds it to a pod.
  ///
  /// - Parameter pod: The pod to observe. In an override scope, the recorder observes the pod that acts there.
  public convenience init(observing pod: Pod) {
    self.init()
    pod.addObserver(self)
  }

  /// Records one event.
  public func pod(_ pod: Pod, did event: PodEvent) {
    recorded.withLock { $0.append(event) }
  }
}

// MARK: - Reading

extension ResolutionRecorder {
  /// All events, in order.
  public var events: [PodEvent] {
    recorded.withLock { $0 }
  }

  /// The providers that were built, once for each build, in the order in which the builds ended.
  public var builds: [ProviderInfo] {
    events.compactMap { if case .build(let provider, _, _) = $0 { provider } else { nil } }
  }

  /// The providers whose builds failed, once for each failure, in order.
  public var failures: [ProviderInfo] {
    events.compactMap { if case .fail(let provider, _) = $0 { provider } else { nil } }
  }

  /// The providers whose instances were disposed, once for each instance, in order.
  public var disposals: [ProviderInfo] {
    events.compactMap { if case .dispose(let provider) = $0 { provider } else { nil } }
  }

  /// Returns how often a provider was built.
  ///
  /// - Parameter provider: The provider.
  /// - Returns: The number of builds that ended with an instance.
  public func buildCount(of provider: some ProviderProtocol) -> Int {
    builds.count { $0.id == provider.id }
  }

  /// Returns whether all the given providers were built, with their first builds in this order.
  ///
  /// - Parameter providers: The providers in the expected order of their first builds.
  /// - Returns: Whether all were built, in this order. Other builds may lie between them.
  public func built(inOrder providers: any ProviderProtocol...) -> Bool {
    let order = builds.map(\.id)
    let positions = providers.map { order.firstIndex(of: $0.id) }
    return zip(positions, positions.dropFirst()).allSatisfy { pair in
      guard let first = pair.0, let second = pair.1 else { return false }
      return first < second
    } && !positions.contains(nil)
  }

  /// Returns the dependencies of the latest build of a provider.
  ///
  /// - Parameter provider: The provider.
  /// - Returns: The dependencies in the order of the build event, or an empty array if the provider was not built.
  public func dependencies(ofLatestBuildOf provider: some ProviderProtocol) -> [ProviderInfo] {
    for case .build(let built, _, let dependencies) in events.reversed() where built.id == provider.id {
      return dependencies
    }
    return []
  }

  /// Removes all recorded events.
  public func reset() {
    let removed = recorded.withLock { events in
      defer { events = [] }
      return events
    }
    // Released without the lock: an event may have the last reference to an argument of the user.
    withExtendedLifetime(removed) {}
  }
}
