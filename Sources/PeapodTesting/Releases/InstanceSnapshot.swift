import Peapod

/// Weak references to the class instances that a pod and its ancestors cache at one moment.
struct InstanceSnapshot {
  private(set) var instances: [TrackedInstance] = []

  /// Creates an empty snapshot.
  init() {}

  /// Creates a snapshot of the instances of a pod that satisfy a condition.
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

  /// Returns the number of instances that a later snapshot does not have, and the released instances that are still
  /// alive.
  func released(before later: InstanceSnapshot) -> (count: Int, survivors: [TrackedInstance]) {
    // Safe to compare by address: an instance that is alive shares its address with no other.
    let kept = Set(later.instances.compactMap { $0.object.map(ObjectIdentifier.init) })
    let released = instances.filter { instance in
      instance.object.map { !kept.contains(ObjectIdentifier($0)) } ?? true
    }
    return (released.count, released.filter { $0.object != nil })
  }

  /// Returns the instances that are still alive after about a second.
  ///
  /// If no instance is alive, the function returns at once.
  ///
  /// The time is counted in turns of this task and of the main actor, which releases main-actor instances. So the time
  /// is longer on a slow machine.
  func lastingSurvivors() async -> [TrackedInstance] {
    for _ in 0..<500 where !Task.isCancelled {
      guard instances.contains(where: { $0.object != nil }) else { return [] }
      await MainActor.run {}
      try? await Task.sleep(for: .milliseconds(2))
    }
    return instances.filter { $0.object != nil }
  }
}
