/// Finds instances that stay cached longer than their dependencies.
enum CaptiveDependencies {
  /// A captive dependency, with the numbers of both providers, and what its message says besides.
  typealias Pair = (
    numbers: [UInt64], found: ProviderGraph.CaptiveDependency, first: ProviderInfo, isInChildScope: Bool
  )

  /// For each scope of a declaration, the scope and its descendants, which user code gives.
  typealias ScopeTrees = [ObjectIdentifier: SmallTable<ScopeIdentity>]

  /// How many pairs a pod stores before it forgets them, as it does for a family with a member for each user.
  private static let limit = 1_000

  /// Examines a new instance, and reports each captive dependency once.
  @inline(never)
  static func examine(_ instance: Instance) {
    var trees: ScopeTrees = [:]
    let (pairs, home) = (find(for: instance, &trees), instance.home)
    if pairs.isEmpty { return }
    // Released without the lock: a pair may have the last reference to an argument of the user.
    var forgotten: [[UInt64]: ProviderGraph.CaptiveDependency] = [:]
    let new = home.withLock { held -> [Pair] in
      let rare = home.madeRare(held)
      let new = pairs.filter { rare.captives[$0.numbers] == nil }
      if rare.captives.count + new.count > limit { swap(&forgotten, &rare.captives) }
      for pair in new { rare.captives[pair.numbers] = pair.found }
      return new
    }
    withExtendedLifetime(forgotten) {}
    for pair in new { report(pair, in: home) }
  }

  /// Whether an instance may have captive dependencies.
  ///
  /// The provider of a `Lazy` is none of the user's, and the holder of the `Lazy` chose to defer.
  static func mayExist(for instance: Instance) -> Bool {
    instance.traits.contains(.isClearable) && !instance.dependencies.isEmpty && !instance.home.isCompact
      && (instance.scopeKind == .singleton || instance.scopeKind == .custom)
  }

  /// The captive dependencies of an instance.
  ///
  /// Called without locks, since `children` of a scope is user code. `trees`: those that are known already.
  static func find(for instance: Instance, _ trees: inout ScopeTrees) -> [Pair] {
    let scope = instance.scope.identity
    return clearableDependencies(of: instance).compactMap { dependency, first in
      // A pod between the two, or another pod, may own the scope of the dependent.
      let key = ObjectIdentifier(dependency.scope)
      let tree = trees[key] ?? ScopeIdentity.tree(below: [dependency.scope.value])
      trees[key] = tree
      let isInChildScope = tree.contains(scope)
      if isInChildScope, instance.home.owner(of: scope) === dependency.home.owner(of: scope) { return nil }
      let found = ProviderGraph.CaptiveDependency(dependent: instance.info, dependency: dependency.info)
      return (
        instance.declaration.lastingNumbers + dependency.declaration.lastingNumbers, found, first.info, isInChildScope
      )
    }
  }

  /// The dependencies in a scope of the user, direct or through instances that no pod caches, each with the direct dependency that
  /// leads to it.
  private static func clearableDependencies(of instance: Instance) -> [(dependency: Instance, first: Instance)] {
    let scope = instance.scope.identity
    var found: [(dependency: Instance, first: Instance)] = []
    var firsts: [ObjectIdentifier: Instance] = [:]
    var walk = Walk(from: instance)
    while let current = walk.next() {
      for other in current.dependencies.compactMap(\.instance) where other.traits.contains(.isClearable) {
        let first = firsts[ObjectIdentifier(current)] ?? other
        switch other.scopeKind {
        case _ where other.flags.contains(.isFresh), .alwaysCreateNew, .graph, .weak:
          // No pod retains the value of this dependency, so its own dependencies count.
          if firsts[ObjectIdentifier(other)] == nil { firsts[ObjectIdentifier(other)] = first }
          walk.add(other)
        // After a clear, a constant is the answer again.
        case .custom where other.flags.contains(.hasInnerOwner) || other.isConstant: break
        case .custom where other.scope.identity !== scope || other.home !== instance.home: found.append((other, first))
        case .custom, .singleton: break
        }
      }
    }
    return found
  }

  private static func report(_ pair: Pair, in home: PodState) {
    let (numbers, found, first, isInChildScope) = pair
    // Each pair is reported once for the whole tree of pods.
    let root = home.root
    let isNew = root.withLock { held in
      let rare = root.madeRare(held)
      guard !rare.reportedCaptives.contains(numbers) else { return false }
      if rare.reportedCaptives.count >= limit { rare.reportedCaptives = [] }
      rare.reportedCaptives.insert(numbers)
      return true
    }
    guard isNew else { return }
    home.emit({ [.captiveDependency(dependent: found.dependent, dependency: found.dependency)] })
    #if DEBUG
      CurrentThread.writeError(
        Failure.captive(found.dependent, found.dependency, through: first, isInChildScope: isInChildScope))
    #endif
  }
}

extension Declaration {
  /// Numbers that stay the same when a member of a family is deallocated and made again.
  fileprivate var lastingNumbers: [UInt64] {
    guard let family, let arguments = details?.arguments else { return [number] }
    return [family.number] + [arguments.hash ?? 0, arguments.text.hashValue].map { UInt64(UInt(bitPattern: $0)) }
  }
}
