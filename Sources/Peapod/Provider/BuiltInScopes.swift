/// The scope of instances that stay cached until the pod is disposed or released.
///
/// A provider without a scope argument has this scope. ``Pod/clearCachedInstance(of:)`` and `refresh` also dispose a
/// singleton. The clear of a scope, also of this scope, does not dispose singletons.
public struct SingletonScope: ProviderScope {
  /// Creates the scope.
  public init() {}
}

/// The scope of transient providers: each resolve builds a new instance, and the pod caches nothing.
public struct AlwaysCreateNewScope: ProviderScope {
  /// Creates the scope.
  public init() {}
}

/// The scope of instances that stay cached while other code retains them.
///
/// Only class instances are cached. A value of another type is built at each resolve.
public struct WeakScope: ProviderScope {
  /// Creates the scope.
  public init() {}
}

/// The scope of instances that all builds of one top-level resolve share.
///
/// The pod disposes the instance when that resolve ends. If an async build of the resolve used the instance, and continues for other callers
/// after the resolve was canceled or has failed, the pod disposes the instance after that build.
public struct GraphScope: ProviderScope {
  /// Creates the scope.
  public init() {}
}

extension ProviderScope where Self == SingletonScope {
  /// The scope of instances that stay cached until the pod is disposed.
  public static var singleton: Self { .init() }
}

extension ProviderScope where Self == AlwaysCreateNewScope {
  /// The scope of transient providers: each resolve builds a new instance.
  public static var alwaysCreateNew: Self { .init() }
}

extension ProviderScope where Self == WeakScope {
  /// The scope of instances that stay cached while other code retains them.
  public static var weak: Self { .init() }
}

extension ProviderScope where Self == GraphScope {
  /// The scope of instances that all builds of one top-level resolve share.
  public static var graph: Self { .init() }
}
