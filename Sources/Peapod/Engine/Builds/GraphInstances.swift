/// The graph-scoped instances of one top-level resolve, by their builds and providers.
final class GraphInstances: @unchecked Sendable {
  // Safe: guarded by `lock`.
  private let lock = Lock()
  @exclusivity(unchecked) private var builds: [ObjectIdentifier: [Build]] = [:]
  @exclusivity(unchecked) private var isOver: Bool

  init(isOver: Bool = false) { self.isOver = isOver }

  func builds(of declaration: Declaration) -> [Build] { lock.withLock { builds[ObjectIdentifier(declaration)] ?? [] } }

  /// Adds a build, unless the provider has other builds than the known ones: the caller may need one of these builds.
  func add(of declaration: Declaration, known: [Build], _ make: () -> Build) -> Build? {
    lock.withLock {
      guard builds[ObjectIdentifier(declaration)]?.count ?? 0 == known.count else { return nil }
      let build = make()
      if !isOver { builds[ObjectIdentifier(declaration), default: []].append(build) }
      return build
    }
  }

  /// Whether the top-level resolve has ended, so that an instance which is finished now is disposed at once.
  var hasEnded: Bool { lock.withLock { isOver } }

  func take() -> [Build] {
    lock.withLock {
      isOver = true
      defer { builds = [:] }
      return builds.values.flatMap { $0 }
    }
  }

  /// Ends graph-scoped instances; returns the instances to dispose.
  static func end(_ builds: [Build]) -> [Instance] {
    builds.compactMap { build in
      let instance = build.instance
      let isEnding = build.withHome { _, _ in
        guard instance.state == .cached else { return false }
        instance.state = .record
        return instance.word != 0
      }
      if isEnding { _ = build.storeRecord() }
      return isEnding ? instance : nil
    }
  }

  func end() -> [Instance] { GraphInstances.end(take()) }
}

extension Build {
  /// The build that no other build needs.
  var outermost: Build {
    var build = self
    while let parent = build.parent { build = parent }
    return build
  }

  /// The graph-scoped instances of the top-level resolve, of which this is the outermost build.
  var graphInstances: GraphInstances {
    lock.withLock {
      if let ownGraph { return ownGraph }
      // A task of the builder may resolve after `takeGraphInstances()`.
      let made = GraphInstances(isOver: isSealed)
      ownGraph = made
      return made
    }
  }

  /// Takes the graph-scoped instances at the end of the top-level resolve, to dispose them.
  func takeGraphInstances() -> [Build] {
    guard parent == nil, let graph = lock.withLock({ ownGraph }) else { return [] }
    return graph.take()
  }

  /// The nearest `Lazy` or factory that led to this build.
  var nearestDeferral: Deferral? {
    sequence(first: self, next: \.parent).lazy.compactMap(\.request.deferral).first
  }

  var isAtPowerOfTwo: Bool { depth & (depth + 1) == 0 }

  /// The dependency cycle from a dependent build of the same definition to this build; `nil` if there is no such build.
  ///
  /// A build looks farther than 64 builds only if its depth, counted from one, is a power of two. Endless recursion is still found. In
  /// endless recursion through inner pods, each build has another view: there, 250 builds of one provider are a cycle.
  func path(fromSame declaration: Declaration, _ definition: Override?, for view: PodState) -> [ProviderInfo]? {
    var (nearest, count): (Build?, Int) = (nil, 0)
    for build in sequence(first: self, next: \.parent).prefix(isAtPowerOfTwo ? .max : 64)
    where build.declaration === declaration && build.definition?.original === definition?.original {
      if build.definition === definition, build.view === view { return path(from: build) }
      nearest = nearest ?? build
      count += 1
    }
    return count < 250 ? nil : nearest.flatMap { path(from: $0) }
  }

  /// The providers from an outer build to this build, or `nil` if the outer build does not need this build.
  func path(from outer: Build) -> [ProviderInfo]? {
    guard depth >= outer.depth else { return nil }
    let way = Array(sequence(first: self, next: \.parent).prefix(Int(depth - outer.depth) + 1))
    return way.last === outer ? way.map(\.info).reversed() : nil
  }
}
