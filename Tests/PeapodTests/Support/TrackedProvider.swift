import Peapod
import Testing

/// A synchronous kind of provider, for tests of what all of them have in common.
enum SynchronousKind: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case plain = "Provider"
  case throwing = "ThrowingProvider"
  case mainActor = "MainActorProvider"

  var testDescription: String { rawValue }

  /// Declares a provider of this kind.
  func declare(
    _ name: String? = nil, scope: some ProviderScope = SingletonScope(), fileID: StaticString = #fileID,
    line: UInt = #line, _ build: @escaping @Sendable (Pod) -> Tracked,
    onDispose: (@Sendable (Tracked) -> Void)? = nil
  ) -> TrackedProvider {
    switch self {
    case .plain:
      .plain(Provider(name, scope: scope, fileID: fileID, line: line, build, onDispose: onDispose))
    case .throwing:
      .throwing(ThrowingProvider(name, scope: scope, fileID: fileID, line: line, build, onDispose: onDispose))
    case .mainActor:
      .mainActor(MainActorProvider(name, scope: scope, fileID: fileID, line: line, build, onDispose: onDispose))
    }
  }
}

/// A provider of any synchronous kind.
///
/// One of the main actor is resolved on the main actor alone.
enum TrackedProvider: Sendable {
  case plain(Provider<Tracked>)
  case throwing(ThrowingProvider<Tracked>)
  case mainActor(MainActorProvider<Tracked>)

  var any: any ProviderProtocol {
    switch self {
    case .plain(let provider): provider
    case .throwing(let provider): provider
    case .mainActor(let provider): provider
    }
  }
}

extension Pod {
  func resolve(_ provider: TrackedProvider) -> Tracked {
    switch provider {
    case .plain(let provider): resolve(provider)
    case .throwing(let provider): try! resolve(provider)
    case .mainActor(let provider): MainActor.assumeIsolated { resolve(provider) }
    }
  }

  /// Resolves as `resolve` does, and passes on the error of a throwing provider.
  func attempt(_ provider: TrackedProvider) throws -> Tracked {
    guard case .throwing(let throwing) = provider else { return resolve(provider) }
    return try resolve(throwing)
  }

  func overrideProvider(_ provider: TrackedProvider, with build: @escaping @Sendable (Pod) -> Tracked) {
    switch provider {
    case .plain(let provider): overrideProvider(provider) { build($0) }
    case .throwing(let provider): overrideProvider(provider, with: build)
    case .mainActor(let provider): overrideProvider(provider, with: build)
    }
  }

  func overrideProvider(
    _ provider: TrackedProvider, scope: some ProviderScope, with build: @escaping @Sendable (Pod) -> Tracked
  ) {
    switch provider {
    case .plain(let provider): overrideProvider(provider, scope: scope, with: build)
    case .throwing(let provider): overrideProvider(provider, scope: scope, with: build)
    case .mainActor(let provider): overrideProvider(provider, scope: scope, with: build)
    }
  }

  func overrideProvider(_ provider: TrackedProvider, withValue value: Tracked) {
    switch provider {
    case .plain(let provider): overrideProvider(provider, withValue: value)
    case .throwing(let provider): overrideProvider(provider, withValue: value)
    case .mainActor(let provider): MainActor.assumeIsolated { overrideProvider(provider, withValue: value) }
    }
  }

  func removeOverrideProvider(_ provider: TrackedProvider) {
    removeOverrideProvider(provider.any)
  }

  func clearCachedInstance(of provider: TrackedProvider) {
    clearCachedInstance(of: provider.any)
  }

  func isCached(_ provider: TrackedProvider) -> Bool {
    isCached(provider.any)
  }
}
