import Peapod

/// The scopes that the model knows.
enum ScopeChoice: String, CaseIterable, Sendable, CustomStringConvertible {
  case singleton, alwaysCreateNew
  /// A scope with the next two as its children.
  case outer
  case inner
  /// Two scopes of one type and different values, the first of them a child.
  case firstTab, secondTab

  var description: String { rawValue }

  var scope: any ProviderScope {
    switch self {
    case .singleton: SingletonScope()
    case .alwaysCreateNew: AlwaysCreateNewScope()
    case .outer: ModelOuterScope()
    case .inner: ModelInnerScope()
    case .firstTab: ModelTabScope(number: 1)
    case .secondTab: ModelTabScope(number: 2)
    }
  }

  /// What is let go when this scope is cleared.
  var cleared: Set<ScopeChoice> {
    switch self {
    case .singleton, .alwaysCreateNew: []
    case .outer: [.outer, .inner, .firstTab]
    case .inner, .firstTab, .secondTab: [self]
    }
  }
}

private struct ModelOuterScope: ProviderScope {
  var children: [any ProviderScope] { [ModelInnerScope(), ModelTabScope(number: 1), ModelInnerScope()] }
}

private struct ModelInnerScope: ProviderScope {}

private struct ModelTabScope: ProviderScope, Hashable {
  var number: Int
}
