/// Keeps one instance until the pod is disposed.
///
/// The scope of a provider that names none.
public struct SingletonScope: ProviderScope {
  /// Creates the scope.
  public init() {}
}

/// Keeps nothing: every resolve builds.
public struct AlwaysCreateNewScope: ProviderScope {
  /// Creates the scope.
  public init() {}
}

/// Shares an instance while someone else holds it, and builds anew after that.
///
/// Only a class instance can be shared this way. A value of any other type is built at each resolve.
public struct WeakScope: ProviderScope {
  /// Creates the scope.
  public init() {}
}

/// Shares an instance among everything that one outermost `resolve` builds, then lets it go.
public struct GraphScope: ProviderScope {
  /// Creates the scope.
  public init() {}
}

extension ProviderScope where Self == SingletonScope {
  /// One instance until the pod is disposed.
  public static var singleton: Self { .init() }
}

extension ProviderScope where Self == AlwaysCreateNewScope {
  /// A new instance at each resolve.
  public static var alwaysCreateNew: Self { .init() }
}

extension ProviderScope where Self == WeakScope {
  /// One instance while someone else holds it.
  public static var weak: Self { .init() }
}

extension ProviderScope where Self == GraphScope {
  /// One instance within one outermost resolve.
  public static var graph: Self { .init() }
}
