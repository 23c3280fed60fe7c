import Peapod

/// The four kinds of provider, as test arguments.
enum ProviderKind: String, CaseIterable, Sendable {
  case plain, throwing, async, main
}

/// A provider of any of the four kinds behind one face, so that a rule can be tested for each kind.
enum Plant: Sendable {
  case plain(Provider<Part>)
  case throwing(ThrowingProvider<Part>)
  case async(AsyncProvider<Part>)
  case main(MainActorProvider<Part>)

  /// A provider that depends on plain providers only.
  static func leaf(
    _ kind: ProviderKind, _ label: String, scope: some ProviderScope = SingletonScope(),
    from parts: [Provider<Part>] = [],
    in census: Census? = nil, built: Counter? = nil, disposed: Log<String>? = nil
  ) -> Plant {
    let build: @Sendable (Pod) -> Part = { pod in
      built?.increment()
      return Part(label, parts.map { pod.resolve($0) }, in: census)
    }
    let note: @Sendable (Part) -> Void = { disposed?.append($0.label) }
    switch kind {
    case .plain: return .plain(Provider(label, scope: scope, build, onDispose: note))
    case .throwing: return .throwing(ThrowingProvider(label, scope: scope, build, onDispose: note))
    case .async: return .async(AsyncProvider(label, scope: scope, build, onDispose: note))
    case .main: return .main(MainActorProvider(label, scope: scope, build, onDispose: note))
    }
  }

  /// A provider of the same kind that is built from this one.
  func dependent(
    _ label: String, scope: some ProviderScope = SingletonScope(), in census: Census? = nil, built: Counter? = nil,
    disposed: Log<String>? = nil
  ) -> Plant {
    let wrap: @Sendable (Part) -> Part = { part in
      built?.increment()
      return Part(label, [part], in: census)
    }
    let note: @Sendable (Part) -> Void = { disposed?.append($0.label) }
    switch self {
    case .plain(let lower):
      return .plain(Provider(label, scope: scope, { wrap($0.resolve(lower)) }, onDispose: note))
    case .throwing(let lower):
      return .throwing(ThrowingProvider(label, scope: scope, { wrap(try $0.resolve(lower)) }, onDispose: note))
    case .async(let lower):
      return .async(AsyncProvider(label, scope: scope, { wrap(try await $0.resolve(lower)) }, onDispose: note))
    case .main(let lower):
      return .main(MainActorProvider(label, scope: scope, { wrap($0.resolve(lower)) }, onDispose: note))
    }
  }

  func resolve(in pod: Pod) async throws -> Part {
    switch self {
    case .plain(let provider): pod.resolve(provider)
    case .throwing(let provider): try pod.resolve(provider)
    case .async(let provider): try await pod.resolve(provider)
    case .main(let provider): await MainActor.run { pod.resolve(provider) }
    }
  }

  func override(in pod: Pod, label: String, in census: Census? = nil) {
    switch self {
    case .plain(let provider): pod.overrideProvider(provider) { _ in Part(label, in: census) }
    case .throwing(let provider): pod.overrideProvider(provider) { _ in Part(label, in: census) }
    case .async(let provider): pod.overrideProvider(provider) { _ in Part(label, in: census) }
    case .main(let provider): pod.overrideProvider(provider) { _ in Part(label, in: census) }
    }
  }

  /// Overrides the provider with one that wraps what the provider would have been without the override.
  func decorate(in pod: Pod, label: String) {
    switch self {
    case .plain(let provider): pod.overrideProvider(provider) { Part(label, [$0.resolve(provider)]) }
    case .throwing(let provider): pod.overrideProvider(provider) { Part(label, [try $0.resolve(provider)]) }
    case .async(let provider): pod.overrideProvider(provider) { Part(label, [try await $0.resolve(provider)]) }
    case .main(let provider): pod.overrideProvider(provider) { Part(label, [$0.resolve(provider)]) }
    }
  }

  func removeOverride(in pod: Pod) {
    switch self {
    case .plain(let provider): pod.removeOverrideProvider(provider)
    case .throwing(let provider): pod.removeOverrideProvider(provider)
    case .async(let provider): pod.removeOverrideProvider(provider)
    case .main(let provider): pod.removeOverrideProvider(provider)
    }
  }

  func isCached(in pod: Pod) -> Bool {
    switch self {
    case .plain(let provider): pod.isCached(provider)
    case .throwing(let provider): pod.isCached(provider)
    case .async(let provider): pod.isCached(provider)
    case .main(let provider): pod.isCached(provider)
    }
  }
}
