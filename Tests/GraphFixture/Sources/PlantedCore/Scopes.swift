import Peapod

package struct SessionScope: ProviderScope {
  package init() {}
  package var children: [any ProviderScope] { [ScreenScope()] }
}

package struct ScreenScope: ProviderScope {
  package init() {}
}

extension ProviderScope where Self == ScreenScope {
  package static var screen: Self { Self() }
}

package struct RequestScope: ProviderScope {
  package init() {}
  package var requiresOwner: Bool { true }
}

package enum AppScope: ProviderScope, CaseIterable {
  case document
  case window

  package var children: [any ProviderScope] {
    switch self {
    case .document: [AppScope.window]
    case .window: []
    }
  }
}

package enum Kind: ProviderScope {
  case left, right
}

/// A scope whose children only a run tells.
package struct DynamicScope: ProviderScope {
  package let children: [any ProviderScope]

  package init(_ children: [any ProviderScope]) {
    self.children = children
  }
}

package let sharedScreen = ScreenScope()
