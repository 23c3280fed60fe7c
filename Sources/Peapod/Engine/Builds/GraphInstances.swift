/// The graph-scoped instances of one top-level resolve, by their builds and providers.
///
/// They are disposed when the resolve has ended, and all async builds that use them. An async build may outlive a resolve that was canceled or
/// has failed, since other callers wait for the build.
final class GraphInstances: @unchecked Sendable {
  // Safe: guarded by `lock`.
  private let lock = Lock()
  @exclusivity(unchecked) private var builds: [ObjectIdentifier: [Build]] = [:]
  /// How many of the resolve and these builds have not ended.
  @exclusivity(unchecked) private var userCount: Int

  init(isOver: Bool = false) { userCount = isOver ? 0 : 1 }

  func builds(of declaration: Declaration) -> [Build] { lock.withLock { builds[ObjectIdentifier(declaration)] ?? [] } }

  /// Adds a build, unless the provider has other builds than the known ones: the caller may need one of these builds.
  func add(of declaration: Declaration, known: [Build], _ make: () -> Build) -> Build? {
    lock.withLock {
      guard builds[ObjectIdentifier(declaration)]?.count ?? 0 == known.count else { return nil }
      let build = make()
      if userCount > 0 { builds[ObjectIdentifier(declaration), default: []].append(build) }
      return build
    }
  }

  /// Whether an instance which is finished now is disposed at once.
  var hasEnded: Bool { lock.withLock { userCount == 0 } }

  /// Counts a build that uses the instances; returns `false` if they have ended.
  fileprivate func join() -> Bool {
    lock.withLock {
      guard userCount > 0 else { return false }
      userCount += 1
      return true
    }
  }

  /// Ends the use by the resolve or by a build; returns the builds of the instances if it was the last use.
  fileprivate func leave() -> [Build] {
    lock.withLock {
      userCount -= 1
      guard userCount == 0 else { return [] }
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
        return true
      }
      if isEnding { _ = build.storeRecord() }
      return isEnding ? instance : nil
    }
  }

  func end() -> [Instance] { GraphInstances.end(leave()) }
}

extension Build {
  /// The build that no other build needs.
  var outermost: Build {
    var build = self
    while let parent = build.parent { build = parent }
    return build
  }

  /// The graph-scoped instances of the top-level resolve, which the builder of this build may use from now on.
  var graphInstances: GraphInstances {
    var user = self
    while !user.hasOwnTask, let parent = user.parent { user = parent }
    if let known = user.lock.withLock({ user.ownGraph }) { return known }
    let shared = user.parent?.outermost.graphInstances
    // Before the lock of the build is taken, which comes after the lock of the instances.
    let isJoined = shared?.join() ?? false
    let (graph, isNew) = user.lock.withLock { () -> (GraphInstances, Bool) in
      if let known = user.ownGraph { return (known, false) }
      // A task of the builder may resolve after `leaveGraph()`.
      let made = (isJoined ? shared : nil) ?? GraphInstances(isOver: user.isSealed)
      if !user.isSealed { user.ownGraph = made }
      return (made, !user.isSealed)
    }
    // Another thread of the builder was faster, or the builder is done.
    if isJoined, !isNew, let shared { Teardown.run(shared.end()) }
    return graph
  }

  /// Ends the use of the graph-scoped instances; returns the builds of those that are to be disposed.
  func leaveGraph() -> [Build] { lock.withLock { ownGraph }?.leave() ?? [] }

  /// The nearest `Lazy` or factory that led to this build.
  var nearestDeferral: Deferral? {
    sequence(first: self, next: \.parent).lazy.compactMap(\.request.deferral).first
  }

  var isAtPowerOfTwo: Bool { depth & (depth + 1) == 0 }

  /// The dependency cycle from a dependent build of the same definition to this build; `nil` if there is no such build.
  ///
  /// A build looks farther than 64 builds only if its depth, counted from one, is a power of two. Endless recursion is still found. In
  /// endless recursion through inner pods, each build has another view: there, 250 builds of one provider are a cycle. So are 250 builds with
  /// which an override of a family answers members that cannot be compared: an override that resolves such a member resolves itself.
  func path(fromSame declaration: Declaration, _ definition: Override?, for view: PodState) -> [Build]? {
    var (nearest, count): (Build?, Int) = (nil, 0)
    let isIncomparable = definition != nil && declaration.details?.arguments.map { $0.hash == nil } ?? false
    for build in sequence(first: self, next: \.parent).prefix(isAtPowerOfTwo ? .max : 64)
    where (isIncomparable || build.declaration === declaration) && build.definition?.original === definition?.original {
      if build.declaration === declaration, build.definition === definition, build.view === view {
        return path(from: build)
      }
      nearest = nearest ?? build
      count += 1
    }
    return count < 250 ? nil : nearest.flatMap { path(from: $0) }
  }

  /// The builds from an outer build to this build, or `nil` if the outer build does not need this build.
  func path(from outer: Build) -> [Build]? {
    guard depth >= outer.depth else { return nil }
    let way = Array(sequence(first: self, next: \.parent).prefix(Int(depth - outer.depth) + 1))
    return way.last === outer ? way.reversed() : nil
  }
}
