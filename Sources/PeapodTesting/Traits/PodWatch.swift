import Peapod
import Synchronization
import Testing

/// An observer that records the events that the checks of a test trait need.
final class PodWatch: PodObserver {
  /// The pods of the traits around this code with their watches, from the outermost trait to the innermost.
  @TaskLocal private static var watched: [(pod: Pod, watch: PodWatch)] = []

  /// The place of the trait whose closure is running.
  @TaskLocal private static var configuringLocation: SourceLocation?

  private struct CaptivePair: Hashable {
    let dependent: ProviderInfo
    let dependency: ProviderInfo
  }

  private struct State {
    var overrideLocations: [ProviderID: SourceLocation] = [:]
    var overridden: Set<ProviderID> = []
    var captivePairs: [CaptivePair] = []
    var requirements: [OverrideRequirement] = []
    var builtWithoutOverride: Set<ProviderID> = []
    var mayStayUnresolved: Set<ProviderID> = []
    var mayOutlive: Set<ProviderID> = []
  }

  private let state = Mutex(State())

  /// Returns the watches of a pod, or else of the nearest ancestor that has a trait; the watch of the innermost trait is the last.
  static func watches(of pod: Pod) -> [PodWatch] {
    sequence(first: pod, next: \.parent).lazy
      .map { pod in watched.filter { $0.pod.isSame(as: pod) }.map(\.watch) }.first { !$0.isEmpty } ?? []
  }

  /// Runs a body with a pod as `Pod.current` and with this watch as the watch of that pod.
  func asCurrent(on pod: Pod, _ body: () async throws -> Void) async throws {
    try await Pod.$current.withValue(pod) {
      try await Self.$watched.withValue(Self.watched + [(pod, self)]) { try await body() }
    }
  }

  /// Runs the closure of a trait, so that its overrides are recorded with the place of the trait.
  static func configuring(at sourceLocation: SourceLocation, _ body: () async throws -> Void) async throws {
    try await $configuringLocation.withValue(sourceLocation) { try await body() }
  }
}

// MARK: - Observing

extension PodWatch {
  func pod(_ pod: Pod, did event: PodEvent) {
    switch event {
    case .override(let provider):
      let location = Self.configuringLocation
      state.withLock {
        $0.overrideLocations[provider.id] = location
        $0.overridden.insert(provider.id)
      }
    case .build(let provider, _, _), .fail(let provider, _):
      // A required family covers its members, and a member may have an override of its own.
      // Filtered without the lock, since arguments are compared by code of the user.
      let required = state.withLock { $0.requirements }.map(\.id).filter { provider.id.isCovered(by: $0) }
      if !required.isEmpty, !pod.isOverridden(provider.id) {
        state.withLock { $0.builtWithoutOverride.formUnion(required) }
      }
    case .captiveDependency(let dependent, let dependency):
      state.withLock { $0.captivePairs.append(CaptivePair(dependent: dependent, dependency: dependency)) }
    default:
      break
    }
  }
}

// MARK: - Noting

extension PodWatch {
  func require(_ requirement: OverrideRequirement) {
    state.withLock { $0.requirements.append(requirement) }
  }

  func allowUnresolved(_ id: ProviderID) {
    state.withLock { _ = $0.mayStayUnresolved.insert(id) }
  }

  func allowOutliving(_ id: ProviderID) {
    state.withLock { _ = $0.mayOutlive.insert(id) }
  }
}

// MARK: - Checking

extension PodWatch {
  /// Returns the issues of a pod before its shutdown, and the instances to check after the shutdown.
  ///
  /// - Parameters:
  ///   - pod: The pod of the test, or the pod that acts in its place.
  ///   - strictness: The checks besides required overrides.
  ///   - isComplete: Whether the test function returned. Only then are missing overrides and unresolved overrides
  ///     issues.
  ///   - testLocation: The place for issues that no trait has caused.
  /// - Returns: The findings.
  func findings(
    in pod: Pod, strictness: Strictness, isComplete: Bool, testLocation: SourceLocation
  ) -> PodFindings {
    let noted = state.withLock { $0 }
    var findings = PodFindings()
    for requirement in noted.requirements {
      if noted.builtWithoutOverride.contains(requirement.id) {
        findings.add(IssueText.builtWithoutOverride(requirement.description), at: requirement.sourceLocation)
      } else if isComplete, !noted.overridden.contains(requirement.id), !pod.isOverridden(requirement.id) {
        findings.add(IssueText.notOverridden(requirement.description), at: requirement.sourceLocation)
      }
    }
    if strictness.contains(.unresolvedOverrides), isComplete {
      let unresolved = pod.unresolvedOverrides().filter { !$0.id.isCovered(byAnyOf: noted.mayStayUnresolved) }
      for provider in unresolved.sorted() {
        findings.add(
          IssueText.unresolvedOverride(provider), at: noted.overrideLocations[provider.id] ?? testLocation)
      }
    }
    if strictness.contains(.captiveDependencies) {
      // The graph has the pairs of the pod itself, and the events have the pairs of its children.
      let own = pod.graph.captiveDependencies.map {
        CaptivePair(dependent: $0.dependent, dependency: $0.dependency)
      }
      var seen: Set<CaptivePair> = []
      for pair in own + noted.captivePairs where seen.insert(pair).inserted {
        findings.add(
          IssueText.captiveDependency(dependent: pair.dependent, dependency: pair.dependency), at: testLocation)
      }
    }
    if strictness.contains(.leakedInstances) {
      findings.instances = InstanceSnapshot(of: pod) { !$0.id.isCovered(byAnyOf: noted.mayOutlive) }
    }
    return findings
  }
}

extension ProviderID {
  fileprivate func isCovered(byAnyOf others: Set<ProviderID>) -> Bool { others.contains { isCovered(by: $0) } }
}
