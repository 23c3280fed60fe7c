import Peapod

public struct SessionScope: ProviderScope {
  public init() {}
  public var children: [any ProviderScope] { [ScreenScope()] }
}

public struct ScreenScope: ProviderScope {
  public init() {}
}

extension ProviderScope where Self == ScreenScope {
  public static var screen: Self { Self() }
}

public struct RequestScope: ProviderScope {
  public init() {}
  public var requiresOwner: Bool { true }
}

public enum AppScope: ProviderScope, CaseIterable {
  case document
  case window

  public var children: [any ProviderScope] {
    switch self {
    case .document: [AppScope.window]
    case .window: []
    }
  }
}

public enum Kind: ProviderScope {
  case left, right
}

/// A scope whose children only a run tells.
public struct DynamicScope: ProviderScope {
  public let children: [any ProviderScope]

  public init(_ children: [any ProviderScope]) {
    self.children = children
  }
}

public let sharedScreen = ScreenScope()
