import Peapod

/// The class instances that a pod and its parents keep at one moment, remembered without keeping them.
struct InstanceSnapshot {
  private(set) var instances: [TrackedInstance] = []

  /// Remembers nothing.
  init() {}

  /// Remembers what a pod keeps, except what is left out.
  init(of pod: Pod, includingParents: Bool = false, where isIncluded: (ProviderInfo) -> Bool = { _ in true }) {
    var held: [(object: AnyObject, providers: [ProviderInfo])] = []
    var positions: [ObjectIdentifier: Int] = [:]
    var next: Pod? = pod
    while let pod = next {
      for (provider, object) in pod.instances() {
        guard let object else { continue }
        if let position = positions[ObjectIdentifier(object)] {
          held[position].providers.append(provider)
        } else {
          positions[ObjectIdentifier(object)] = held.count
          held.append((object, [provider]))
        }
      }
      next = includingParents ? pod.parent : nil
    }
    instances = held.filter { $0.providers.allSatisfy(isIncluded) }.map(TrackedInstance.init)
  }

  /// Those that are alive and that a later snapshot does not hold, with the number of those it no longer holds.
  func released(before later: InstanceSnapshot) -> (count: Int, survivors: [TrackedInstance]) {
    // Safe to compare by address: an instance that is alive shares its address with no other.
    let kept = Set(later.instances.compactMap { $0.object.map(ObjectIdentifier.init) })
    let released = instances.filter { instance in
      instance.object.map { !kept.contains(ObjectIdentifier($0)) } ?? true
    }
    return (released.count, released.filter { $0.object != nil })
  }

  /// Those that are still alive after a while; returns at once when there are none.
  ///
  /// The while, about a second, is counted in turns of this task and of the main actor, which lets go of what belongs to
  /// it; so it is longer where everything else is slow too.
  func lastingSurvivors() async -> [TrackedInstance] {
    for _ in 0..<500 where !Task.isCancelled {
      guard instances.contains(where: { $0.object != nil }) else { return [] }
      await MainActor.run {}
      try? await Task.sleep(for: .milliseconds(2))
    }
    return instances.filter { $0.object != nil }
  }
}
