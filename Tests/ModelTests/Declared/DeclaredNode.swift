import Peapod

/// A node of the model, declared: a provider or a family of one of the kinds.
enum DeclaredNode: Sendable {
  /// A family argument; all of them hash alike.
  struct Argument: Hashable, Sendable {
    var number: Int
    func hash(into hasher: inout Hasher) { hasher.combine(0) }
  }

  /// What a builder of a node does, given the argument of a family's member.
  struct Builder: Sendable {
    var make: @Sendable (Pod, Int) throws -> Product
    var makeAsync: @MainActor @Sendable (Pod, Int) async throws -> Product
  }

  case provider(DeclaredMember)
  case plain(ProviderFamily<Provider<Product>, Argument>)
  case throwing(ProviderFamily<ThrowingProvider<Product>, Argument>)
  case async(ProviderFamily<AsyncProvider<Product>, Argument>)
  case mainActor(ProviderFamily<MainActorProvider<Product>, Argument>)

  init(
    _ node: Node, name: String, scope: some ProviderScope, _ builder: Builder,
    onDispose: @escaping @Sendable (Product) -> Void, onAsyncDispose: @escaping @Sendable (Product) async -> Void
  ) {
    let make = builder.make
    let makeAsync = builder.makeAsync
    let hook = node.hasHook ? onDispose : nil
    let asyncHook = node.hasHook ? onAsyncDispose : nil
    switch (node.isFamily, node.kind) {
    case (false, .plain):
      self = .provider(.plain(Provider(name, scope: scope, { try! make($0, 0) }, onDispose: hook)))
    case (false, .throwing):
      self = .provider(.throwing(ThrowingProvider(name, scope: scope, { try make($0, 0) }, onDispose: hook)))
    case (false, .async):
      self = .provider(
        .async(AsyncProvider(name, scope: scope, { try await makeAsync($0, 0) }, onDispose: asyncHook)))
    case (false, .mainActor):
      self = .provider(.mainActor(MainActorProvider(name, scope: scope, { try! make($0, 0) }, onDispose: hook)))
    case (true, .plain):
      self = .plain(
        Provider.family(name, scope: scope, { (pod, own: Argument) in try! make(pod, own.number) }, onDispose: hook))
    case (true, .throwing):
      self = .throwing(
        ThrowingProvider.family(
          name, scope: scope, { (pod, own: Argument) in try make(pod, own.number) }, onDispose: hook))
    case (true, .async):
      self = .async(
        AsyncProvider.family(
          name, scope: scope, { (pod, own: Argument) in try await makeAsync(pod, own.number) }, onDispose: asyncHook))
    case (true, .mainActor):
      self = .mainActor(
        MainActorProvider.family(
          name, scope: scope, { (pod, own: Argument) in try! make(pod, own.number) }, onDispose: hook))
    }
  }

  /// Returns the provider, or the member of the family that an argument names.
  func member(_ argument: Int) -> DeclaredMember {
    switch self {
    case .provider(let provider): provider
    case .plain(let family): .plain(family(Argument(number: argument)))
    case .throwing(let family): .throwing(family(Argument(number: argument)))
    case .async(let family): .async(family(Argument(number: argument)))
    case .mainActor(let family): .mainActor(family(Argument(number: argument)))
    }
  }
}
