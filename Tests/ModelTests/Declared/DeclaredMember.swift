import Peapod

/// A provider of the model, of any kind.
enum DeclaredMember: Sendable {
  case plain(Provider<Product>)
  case throwing(ThrowingProvider<Product>)
  case async(AsyncProvider<Product>)
  case mainActor(MainActorProvider<Product>)

  var any: any ProviderProtocol {
    switch self {
    case .plain(let provider): provider
    case .throwing(let provider): provider
    case .async(let provider): provider
    case .mainActor(let provider): provider
    }
  }

  var plain: Provider<Product>? { if case .plain(let provider) = self { provider } else { nil } }

  /// Resolves one that is not async, on the main actor.
  func resolve(in pod: Pod, _ way: Action.Way = .resolve) throws -> Product {
    switch (self, way) {
    case (.plain(let provider), .resolve): return pod.resolve(provider)
    case (.plain(let provider), .withResolved): return pod.withResolved(provider) { hold($0) }
    case (.plain(let provider), .lazy): return pod.lazy(provider).value
    case (.plain(let provider), .factory): return pod.factory(provider)()
    case (.plain(let provider), .injected): return Injected(provider, from: pod).wrappedValue
    case (.throwing(let provider), .factory): return try pod.factory(provider)()
    case (.throwing(let provider), _): return try pod.resolve(provider)
    case (.mainActor(let provider), .factory): return MainActor.assumeIsolated { pod.factory(provider)() }
    case (.mainActor(let provider), .injected):
      return MainActor.assumeIsolated { Injected(provider, from: pod).wrappedValue }
    case (.mainActor(let provider), _): return MainActor.assumeIsolated { pod.resolve(provider) }
    default: fatalError("\(way) of \(any)")
    }
  }

  private func hold(_ product: borrowing Product) -> Product { copy product }

  /// Resolves as a builder does, with the pod that it was given or captured.
  func resolve(in pod: Pod, asBuilder way: Ask.Way) throws -> Product {
    guard let provider = plain else { return try resolve(in: pod) }
    switch way {
    case .resolve, .captured: return pod.resolve(provider)
    case .withResolved: return pod.withResolved(provider) { hold($0) }
    case .injected: return Injected(provider).wrappedValue
    }
  }
}
