import Peapod

/// What happens in an upheaval.
extension Upheaval {
  private static let cleared: [ScopeChoice] = [.outer, .inner, .weak]

  /// Does one thing; returns what the builder's instance may hold on to.
  ///
  /// `pod`: that of the builder in which it happens.
  @discardableResult
  func act(besides pod: Pod?) -> (any Sendable)? {
    if places.isEmpty { makeRoot() }
    switch generator.below(100) {
    case 0..<20: return resolve(besides: pod)
    case 20..<26: drop()
    case 26..<40: override(in: somePlace())
    case 40..<48: removeOverride()
    case 48..<54: clear()
    case 54..<57: dispose()
    case 57..<64: makeChild(besides: pod)
    case 64..<67: makeRoot()
    case 67..<70: strand()
    case 70..<76: openBlock()
    case 76..<84: return makeHandle(besides: pod)
    case 84..<88: return useLocal(in: somePod(besides: pod))
    case 88..<92: useInstance(besides: pod)
    case 92..<95: return useFactory()
    case 95..<97: letOneGo(\.factories)
    case 97..<98: letOneGo(\.locals)
    default: _ = somePod(besides: pod).graph.description
    }
    return nil
  }

  // MARK: - Choosing

  /// A pod whose requests are answered as the model knows, here and now; `nil` if there is none.
  private func somePlace() -> UpheavalPlace? {
    places.filter { $0.block.map { $0.depth == depth } ?? true }.randomElement(using: &generator)
  }

  private func somePod(besides pod: Pod?) -> Pod {
    let stored = stored.randomElement(using: &generator)
    if let pod, generator.chance(30) { return pod }
    // Which keeps nothing alive.
    if let stored, generator.chance(60) { return stored }
    return somePlace()?.pod ?? pod ?? stored ?? Pod("spare")
  }

  // MARK: - Acts

  private func resolve(besides pod: Pod?) -> (any Sendable)? {
    guard limit > 0 else { return nil }
    let node = generator.below(limit)
    let pod = somePod(besides: pod)
    tell("resolve node \(node) in \(pod.name)")
    return resolve(from: pod) { get(node, from: pod) }
  }

  /// Resolves an instance; returns it, unless a stored pod gave it.
  ///
  /// Another instance may hold the result. An instance of a stored pod may hold a pod that has ended, which would form a reference cycle.
  private func resolve(from pod: Pod, _ body: () -> UpheavalItem) -> UpheavalItem? {
    // Asked before, since a builder may let the stored pod go.
    let isStored = stored.contains { $0 === pod }
    let item = body()
    return isStored ? nil : item
  }

  func drop() {
    guard !places.isEmpty else { return }
    if !stored.isEmpty, generator.chance(20) {
      tell("drop a stored pod")
      letOneGo(\.stored)
    } else if generator.chance(20) {
      tell("drop all pods")
      letGo(\.places) { _ in true }
    } else {
      // The latest one is the most likely to be in use.
      let place = places.remove(at: generator.chance(50) ? places.count - 1 : generator.below(places.count))
      tell("drop \(place.name)")
    }
  }

  private func override(in place: UpheavalPlace?) {
    guard let place else { return }
    let node = generator.below(nodes.count)
    let number = nextNumber()
    let provider = nodes[node].provider
    let family = generator.chance(50) ? nodes[node].family : nil
    let target = UpheavalPlace.Target(node: node, isFamily: family != nil)
    if family == nil, generator.chance(30) {
      tell("override node \(node) in \(place.name) with the value \(number)")
      place.acting.override(target, by: Definition(number: number, parts: [], isDecorator: false))
      place.pod.overrideProvider(
        provider, withValue: UpheavalItem("value \(number)", makers: [node: [number]], in: ledger))
    } else {
      let definition = Definition(number: number, parts: parts(below: node), isDecorator: generator.chance(30))
      let asked = "\(definition.parts)\(definition.isDecorator ? " and itself" : "")"
      tell("override node \(node)\(family == nil ? "" : "'s family") in \(place.name) by \(number), of \(asked)")
      place.acting.override(target, by: definition)
      let hasHook = nodes[node].hasHook
      let ledger = ledger
      let build: @Sendable (Pod) -> UpheavalItem = { [unowned self] pod in
        if hasHook { ledger.hooked.wrappingAdd(1, ordering: .relaxed) }
        return self.build(node, definition, for: pod)
      }
      if let family {
        place.pod.overrideProvider(family) { (pod: Pod, _: Int) in build(pod) }
      } else {
        place.pod.overrideProvider(provider) { pod in build(pod) }
      }
    }
  }

  func removeOverride() {
    guard let place = somePlace() else { return }
    if generator.chance(20) {
      tell("remove all overrides of \(place.name)")
      place.acting.removeAllOverrides()
      place.pod.removeAllOverrides()
    } else if let target = place.acting.overridden.randomElement(using: &generator) {
      let node = nodes[target.node]
      tell("remove the override of node \(target.node)\(target.isFamily ? "'s family" : "") in \(place.name)")
      place.acting.removeOverride(of: target)
      if target.isFamily, let family = node.family {
        place.pod.removeOverrideProvider(family)
      } else {
        place.pod.removeOverrideProvider(node.provider)
      }
    }
  }

  private func clear() {
    guard let pod = somePlace()?.pod else { return }
    if generator.chance(50) {
      let scope = Self.cleared.randomElement(using: &generator).unsafelyUnwrapped
      tell("clear \(scope) in \(pod.name)")
      pod.clearCachedInstances(forScope: scope.scope)
    } else {
      let node = generator.below(nodes.count)
      tell("clear node \(node) in \(pod.name)")
      pod.clearCachedInstance(of: nodes[node].provider)
    }
  }

  private func dispose() {
    guard let pod = somePlace()?.pod else { return }
    tell("dispose \(pod.name)")
    pod.dispose()
  }

  private func makeRoot() {
    guard places.count < 6 else { return }
    let name = "pod \(nextNumber())"
    tell("make \(name)")
    places.append(UpheavalPlace(name, Pod(name)))
  }

  private func makeChild(besides pod: Pod?) {
    let scopes = ScopeChoice.ownable.filter { _ in generator.chance(30) }.map(\.scope)
    let name = "pod \(nextNumber())"
    if let source = stored.randomElement(using: &generator), generator.chance(40) {
      tell("make \(name) below a stored pod")
      stored.append(source.makeChild(name, owning: scopes))
    } else if let pod, generator.chance(30) {
      tell("make \(name) below the builder's pod")
      stored.append(pod.makeChild(name, owning: scopes))
    } else if places.count < 6, let parent = somePlace() {
      tell("make \(name) below \(parent.name)")
      let place = UpheavalPlace(name, parent.pod.makeChild(name, owning: scopes), below: parent.acting)
      places.append(place)
      // As most children do.
      if generator.chance(60) { override(in: place) }
    }
  }

  /// Has what a stored pod builds throw away the child that the pod is of.
  private func strand() {
    guard depth == 0, let pod = storePodOfChild() else { return }
    isStranding = true
    defer { isStranding = false }
    _ = useLocal(in: pod)
  }

  /// Makes a child, of which the list of pods has the only reference, and a stored pod of it.
  private func storePodOfChild() -> Pod? {
    guard let parent = somePlace() else { return nil }
    let name = "pod \(nextNumber())"
    tell("make \(name) below \(parent.name), and store a pod of it")
    let place = UpheavalPlace(name, parent.pod.makeChild(name), below: parent.acting)
    override(in: place)
    let keeper = Provider("keeper", scope: .alwaysCreateNew) { [unowned self] pod in
      depth += 1
      defer { depth -= 1 }
      // Which tells where what it makes lives.
      for node in nodes { _ = pod.resolve(node.provider) }
      return pod
    }
    places.append(place)
    return place.pod.resolve(keeper)
  }

  private func openBlock() {
    guard depth < 4, let place = somePlace(), place.block == nil else { return }
    tell("open a block on \(place.name)")
    place.pod.withOverrides { pod in
      place.block = (UpheavalPlace(block: pod, on: place), depth)
    } operation: {
      for _ in 0..<4 {
        act(besides: nil)
        if depth == 0, generator.chance(40) { checkAll() }
      }
      // What was made below the block goes with it.
      if let block = place.block?.place { letGo(\.places) { $0.isBelow(block) } }
    }
    // Hooks that come with its end may look at the place.
    let block = place.block
    place.block = nil
    withExtendedLifetime(block) {}
    tell("close the block on \(place.name)")
  }

  private func makeHandle(besides own: Pod?) -> (any Sendable)? {
    guard limit > 0 else { return nil }
    let node = generator.below(limit)
    let pod = somePod(besides: own)
    // What a pod keeps must not hold a handle of a pod that someone made, which would keep that.
    let isOwn = pod === own
    if generator.chance(50) {
      tell("make a factory of node \(node) in \(pod.name)")
      var factory = pod.factory(nodes[node].provider)
      if let family = nodes[node].family, generator.chance(50) {
        let make = pod.factory(family)
        factory = { make(node) }
      }
      // The list stores the pod of the builder too.
      factories.append((node, factory, isOwn || stored.contains { $0 === pod }))
      return isOwn ? factory : nil
    }
    tell("make a lazy of node \(node) in \(pod.name)")
    let lazy = pod.lazy(nodes[node].provider)
    if generator.chance(50) { _ = lazy.value }
    return isOwn ? lazy : nil
  }

  private func useFactory() -> (any Sendable)? {
    guard let factory = factories.randomElement(using: &generator), factory.node < limit else { return nil }
    tell("use a factory of node \(factory.node)")
    let item = factory.make()
    return factory.isOfStored ? nil : item
  }

  private func useLocal(in pod: Pod) -> (any Sendable)? {
    if let local = locals.randomElement(using: &generator), local.limit < limit, generator.chance(40) {
      tell("resolve a local provider in \(pod.name)")
      return resolve(from: pod) { pod.resolve(local.provider) }
    }
    guard limit > 0 else { return nil }
    let (limit, number) = (1 + generator.below(limit), nextNumber())
    let parts = parts(below: limit)
    let scope: ScopeChoice = [.singleton, .outer, .alwaysCreateNew, .graph].randomElement(using: &generator) ?? .outer
    let local = declare("local \(number)", scope) { [unowned self] pod in
      make("local \(number)", below: limit, of: parts, for: pod) { [:] }
    }
    tell("declare and resolve local \(number), \(scope), of \(parts), in \(pod.name)")
    let item = resolve(from: pod) { pod.resolve(local) }
    if generator.chance(30) { locals.append((limit, local)) }
    return generator.chance(50) ? item : nil
  }

  private func useInstance(besides pod: Pod?) {
    guard limit > 0 else { return }
    let node = generator.below(limit)
    let pod = somePod(besides: pod)
    tell("use an instance of node \(node) of \(pod.name)")
    pod.withFreshInstance(of: nodes[node].provider) { _ in
      if !isCalm, depth < 6 { _ = act(besides: nil) }
    }
  }
}
