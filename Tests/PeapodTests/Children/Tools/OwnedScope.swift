import Peapod

/// A scope for child pods to own.
struct OwnedScope: ProviderScope {}

/// A scope with `OwnedScope` for a child.
struct OuterScope: ProviderScope {
  var children: [any ProviderScope] { [OwnedScope()] }
}

/// A scope that never falls to the root.
struct AccountScope: ProviderScope {
  var requiresOwner: Bool { true }
}

/// A scope with `AccountScope` for a child.
struct CompanyScope: ProviderScope {
  var children: [any ProviderScope] { [AccountScope()] }
}
