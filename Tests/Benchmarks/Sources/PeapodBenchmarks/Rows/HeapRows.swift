import Peapod

extension Row {
  /// Heap allocations of what is cached; absent where they cannot be counted.
  static var allocationCounts: [Row] {
    guard Heap.isMeasurable else { return [] }
    return [
      .allocations(of: "a cached resolve: class", resolveClass),
      .allocations(of: "a cached resolve: existential", resolveExistential),
      .allocations(of: "a cached resolve: structure", resolveStructure),
      .allocations(of: "a cached resolve: main-actor class", resolveOnMainActor),
      .allocations(of: "a cached resolve: throwing provider", resolveThrowing),
      .allocations(of: "a cached resolve: async provider", resolveAsync),
      .allocations(of: "a cached resolve: async provider, main actor", resolveAsyncOnMainActor),
      .allocations(of: "a cached resolve: async provider, actor", resolveAsyncOnActor),
      .allocations(of: "a cached resolve: async provider, empty child", resolveAsyncThroughChild),
      .allocations(of: "a cached resolve: withResolved", borrowClass),
      .allocations(of: "a cached resolve: withResolved, existential", borrowExistential),
      .allocations(of: "a cached resolve: withResolved, structure", borrowStructure),
      .allocations(of: "a cached resolve: custom scope", resolveScoped),
      .allocations(of: "a cached resolve: custom scope by value", resolveAccount),
      .allocations(of: "a cached resolve: family member", resolveNumbered),
      .allocations(of: "a cached resolve: family member by text", resolveNamed),
      .allocations(of: "a cached resolve: family member made once", resolveHeldMember),
      .allocations(of: "a cached resolve: weak scope", resolveWeak),
      .allocations(of: "a cached resolve: empty child", throughEmpty),
      .allocations(of: "a cached resolve: child that overrides", throughOverriding),
      .allocations(of: "a cached resolve: with a factory, child that overrides", deferringThroughOverriding),
      .allocations(of: "a cached resolve: child with three unrelated overrides", throughThreeOverrides),
      .allocations(of: "a cached resolve: kept in the child", keptByChild),
      .allocations(of: "a cached resolve: scope of the child", ownedByChild),
      .allocations(of: "a cached resolve: scope of the child, existential", existentialOwnedByChild),
      .allocations(of: "a cached resolve: with an override elsewhere", whileOverridden),
      .allocations(of: "a cached resolve: inside withOverrides", insideOverrides),
      .allocations(of: "a cached resolve: inside a builder", insideBuilder),
      .allocations(of: "a cached resolve: cachedInstance(of:)", readCachedInstance),
      .allocations(of: "a cached resolve: lazy", readLazy),
      .allocations(of: "a cached resolve: factory", callFactory),
      .allocations(of: "a cached resolve: factory of a builder", callFactoryOfBuilder),
      Row("heap allocations of", "a cached resolve: while another builds", limit: .figure(0)) { _ in
        let parked = ParkedBuild(in: pod)
        defer { parked.finish() }
        return Measurement(.allocations(await Heap.allocations(of: resolveClass)))
      },
      .allocations(of: "a new instance of AlwaysCreateNewScope (1 by hand)", limit: nil, resolveFresh),
      .allocations(of: "override, resolve, remove (builder)", limit: nil, overrideWithBuilder),
      .allocations(of: "override, resolve, remove (value)", limit: nil, overrideWithValue),
      .allocations(of: "make a child, resolve, drop", limit: nil, useChild),
      .allocations(of: "first resolve of 10 providers (10 by hand)", limit: nil, firstResolve(deep: 10)),
    ]
  }

  /// Bytes of the heap; absent where they cannot be measured.
  static var memory: [Row] {
    guard Heap.isMeasurable else { return [] }
    let singleton = "a singleton with its declaration, graph record and 32-byte instance"
    return [
      bytes(of: singleton, limit: 256) { count in
        let pod = Pod()
        let providers = (0..<count).map { _ in Provider { _ in Service() } }
        for provider in providers { consume(pod.resolve(provider)) }
        return (pod, providers)
      },
      bytes(of: "a singleton that is declared only") { count in (0..<count).map { _ in Provider { _ in Service() } } },
      bytes(of: "a singleton that depends on another, its builder's context included") { count in
        let pod = Pod()
        let chains = (0..<max(1, count / 100)).map { _ in Graphs.deep(100) }
        for provider in chains.joined() { consume(pod.resolve(provider)) }
        return (pod, chains)
      },
      bytes(of: "a cached family member") { count in
        let pod = Pod()
        for number in 0..<count { consume(pod.resolve(numbered(number))) }
        return pod
      },
      bytes(of: "an override, not resolved") { count in
        let pod = Pod()
        let providers = (0..<count).map { _ in Provider { _ in Service() } }
        for provider in providers { pod.overrideProvider(provider) { _ in Service() } }
        return (pod, providers)
      },
      bytes(of: "a pod", share: 10) { count in (0..<count).map { _ in Pod() } },
      bytes(of: "a pod with one singleton", share: 10) { count in
        (0..<count).map { _ in
          let pod = Pod()
          consume(pod.resolve(service))
          return pod
        }
      },
      bytes(of: "an empty child", share: 10) { count in
        consume(pod.resolve(service))
        return (0..<count).map { _ in
          let child = pod.makeChild()
          consume(child.resolve(service))
          return child
        }
      },
    ]
  }

  /// Makes a row of the bytes that many things take together, per thing, with the allocator's own share.
  private static func bytes<Made>(
    of name: String, limit: Double? = nil, share: Int = 1, _ make: @escaping @Sendable (_ count: Int) -> Made
  ) -> Row {
    Row("memory of", name, against: "left when it is gone", limit: limit.map { .figure($0) }) { effort in
      _ = make(10)
      // Records that earlier rows left for others would be used first and not be counted, so these take them all.
      let other = Pod()
      let providers = (0..<10_000).map { _ in Provider { _ in Service() } }
      for provider in providers { consume(other.resolve(provider)) }
      let count = effort.population / share
      let bytes = Heap.bytes(per: count) { make(count) }
      withExtendedLifetime((other, providers)) {}
      return Measurement(.bytes(bytes.kept), beside: .bytes(bytes.left), ratio: nil)
    }
  }
}
