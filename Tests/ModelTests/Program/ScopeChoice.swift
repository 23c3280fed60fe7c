import Peapod

/// The scopes that the model knows.
enum ScopeChoice: String, CaseIterable, Sendable {
  case singleton, alwaysCreateNew, weak, graph
  /// A scope with the next two as its children, one of them twice.
  case outer
  case inner
  /// Two scopes of one type and different values, the first of them a child; each a child of the other.
  case firstTab, secondTab

  /// The scopes that a child may own.
  static let ownable: [ScopeChoice] = [.outer, .inner, .firstTab]

  /// The scopes that a pod may be told to clear.
  static let clearable: [ScopeChoice] = allCases.filter { $0 != .graph }

  var scope: any ProviderScope {
    switch self {
    case .singleton: SingletonScope()
    case .alwaysCreateNew: AlwaysCreateNewScope()
    case .weak: WeakScope()
    case .graph: GraphScope()
    case .outer: ModelOuterScope()
    case .inner: ModelInnerScope()
    case .firstTab: ModelTabScope(number: 1)
    case .secondTab: ModelTabScope(number: 2)
    }
  }

  /// This scope and all that it is, directly or not, the parent of.
  var family: [ScopeChoice] {
    switch self {
    case .outer: [.outer, .inner, .firstTab, .secondTab]
    case .firstTab, .secondTab: [.firstTab, .secondTab]
    default: [self]
    }
  }

  /// The scopes whose instances are let go when this one is cleared.
  var cleared: [ScopeChoice] { family.filter { $0 != .singleton && $0 != .alwaysCreateNew } }

  /// Whether a pod keeps an instance of this scope by itself.
  var keeps: Bool { self != .alwaysCreateNew && self != .weak && self != .graph }
}

private struct ModelOuterScope: ProviderScope {
  var children: [any ProviderScope] { [ModelInnerScope(), ModelTabScope(number: 1), ModelInnerScope()] }
}

private struct ModelInnerScope: ProviderScope {}

private struct ModelTabScope: ProviderScope, Hashable {
  var number: Int
  var children: [any ProviderScope] { [ModelTabScope(number: 3 - number)] }
}
