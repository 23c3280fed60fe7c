import Peapod

/// A declared node of either kind.
enum AnswerProvider: Sendable {
  case sync(Provider<Answer>)
  case async(AsyncProvider<Answer>)

  var any: any ProviderProtocol {
    switch self {
    case .sync(let provider): provider
    case .async(let provider): provider
    }
  }

  /// The provider of a synchronous node.
  var sync: Provider<Answer> {
    guard case .sync(let provider) = self else { fatalError("a synchronous builder asks for an async node") }
    return provider
  }

  func cachedInstance(in pod: Pod) -> Answer? {
    switch self {
    case .sync(let provider): pod.cachedInstance(of: provider)
    case .async(let provider): pod.cachedInstance(of: provider)
    }
  }

  func resolve(in pod: Pod) async throws -> Answer {
    switch self {
    case .sync(let provider): pod.resolve(provider)
    case .async(let provider): try await pod.resolve(provider)
    }
  }

  /// Resolves, and blocks the thread meanwhile.
  func resolveNow(in pod: Pod) -> Answer {
    guard case .async(let provider) = self else { return pod.resolve(sync) }
    return AnswerRequest { try await pod.resolve(provider) }.answer
  }
}

/// A family of nodes of either kind.
enum AnswerFamily: Sendable {
  case sync(ProviderFamily<Provider<Answer>, Int>)
  case async(ProviderFamily<AsyncProvider<Answer>, Int>)

  func member(_ node: Int) -> AnswerProvider {
    switch self {
    case .sync(let family): .sync(family(node))
    case .async(let family): .async(family(node))
    }
  }

  func removeOverride(in pod: Pod) {
    switch self {
    case .sync(let family): pod.removeOverrideProvider(family)
    case .async(let family): pod.removeOverrideProvider(family)
    }
  }

  func refresh(in pod: Pod) {
    switch self {
    case .sync(let family): pod.refresh(family)
    case .async(let family): pod.refresh(family)
    }
  }
}
