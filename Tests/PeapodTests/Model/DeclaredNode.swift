import Peapod

/// A node of the model, declared: a provider or a family of one of the kinds.
enum DeclaredNode: Sendable {
  /// A family argument; all of them hash alike.
  struct Argument: Hashable, Sendable {
    var number: Int
    func hash(into hasher: inout Hasher) { hasher.combine(0) }
  }

  typealias Build = @Sendable (Pod, Int) throws -> Tracked

  case provider(TrackedProvider)
  case plain(ProviderFamily<Provider<Tracked>, Argument>)
  case throwing(ProviderFamily<ThrowingProvider<Tracked>, Argument>)
  case mainActor(ProviderFamily<MainActorProvider<Tracked>, Argument>)

  init(
    _ node: Node, name: String, scope: some ProviderScope, _ build: @escaping Build,
    onDispose: @escaping @Sendable (Tracked) -> Void
  ) {
    let hook = node.hasHook ? onDispose : nil
    switch (node.isFamily, node.kind) {
    case (false, .plain): self = .provider(.plain(Provider(name, scope: scope, { try! build($0, 0) }, onDispose: hook)))
    case (false, .throwing):
      self = .provider(.throwing(ThrowingProvider(name, scope: scope, { try build($0, 0) }, onDispose: hook)))
    case (false, .mainActor):
      self = .provider(.mainActor(MainActorProvider(name, scope: scope, { try! build($0, 0) }, onDispose: hook)))
    case (true, .plain):
      self = .plain(
        Provider.family(
          name, scope: scope, { (pod, argument: Argument) in try! build(pod, argument.number) }, onDispose: hook))
    case (true, .throwing):
      self = .throwing(
        ThrowingProvider.family(
          name, scope: scope, { (pod, argument: Argument) in try build(pod, argument.number) }, onDispose: hook))
    case (true, .mainActor):
      self = .mainActor(
        MainActorProvider.family(
          name, scope: scope, { (pod, argument: Argument) in try! build(pod, argument.number) }, onDispose: hook))
    }
  }

  /// Returns the provider, or the member of the family that an argument names.
  func member(_ argument: Int) -> TrackedProvider {
    switch self {
    case .provider(let provider): provider
    case .plain(let family): .plain(family(Argument(number: argument)))
    case .throwing(let family): .throwing(family(Argument(number: argument)))
    case .mainActor(let family): .mainActor(family(Argument(number: argument)))
    }
  }
}

extension Pod {
  func overrideProvider(
    _ provider: TrackedProvider, scope: (any ProviderScope)?,
    attempting build: @escaping @Sendable (Pod) throws -> Tracked
  ) {
    func override(_ scope: some ProviderScope) {
      switch provider {
      case .plain(let provider): overrideProvider(provider, scope: scope) { try! build($0) }
      case .throwing(let provider): overrideProvider(provider, scope: scope) { try build($0) }
      case .mainActor(let provider): overrideProvider(provider, scope: scope) { try! build($0) }
      }
    }
    if let scope { return override(scope) }
    switch provider {
    case .plain(let provider): overrideProvider(provider) { try! build($0) }
    case .throwing(let provider): overrideProvider(provider) { try build($0) }
    case .mainActor(let provider): overrideProvider(provider) { try! build($0) }
    }
  }

  func overrideFamily(_ node: DeclaredNode, _ build: @escaping DeclaredNode.Build) {
    switch node {
    case .provider: fatalError("no family")
    case .plain(let family): overrideProvider(family) { try! build($0, $1.number) }
    case .throwing(let family): overrideProvider(family) { try build($0, $1.number) }
    case .mainActor(let family): overrideProvider(family) { try! build($0, $1.number) }
    }
  }

  func removeFamilyOverride(_ node: DeclaredNode) {
    switch node {
    case .provider: fatalError("no family")
    case .plain(let family): removeOverrideProvider(family)
    case .throwing(let family): removeOverrideProvider(family)
    case .mainActor(let family): removeOverrideProvider(family)
    }
  }

  func clearFamily(_ node: DeclaredNode) {
    switch node {
    case .provider: fatalError("no family")
    case .plain(let family): clearCachedInstances(of: family)
    case .throwing(let family): clearCachedInstances(of: family)
    case .mainActor(let family): clearCachedInstances(of: family)
    }
  }
}
