// MARK: - Disposal closures that no pod would call

extension Provider {
  /// Causes a warning: no pod caches a transient instance, so no pod could dispose it.
  @available(*, deprecated, message: "nobody keeps an instance of AlwaysCreateNewScope, so nobody could dispose it")
  public init(
    _ name: String? = nil, scope: AlwaysCreateNewScope, fileID: StaticString = #fileID, line: UInt = #line,
    _ build: @escaping @Sendable (Pod) -> Value, onDispose: @escaping @Sendable (Value) -> Void
  ) where Value: Sendable {
    self.init(name, scope: scope, fileID: fileID, line: line, build)
  }

  /// Causes a warning: no pod caches a transient instance, so no pod could dispose it.
  @available(*, deprecated, message: "nobody keeps an instance of AlwaysCreateNewScope, so nobody could dispose it")
  public static func family<each Argument: Hashable & Sendable>(
    _ name: String? = nil, scope: AlwaysCreateNewScope, fileID: StaticString = #fileID, line: UInt = #line,
    _ build: @escaping @Sendable (Pod, repeat each Argument) -> Value,
    onDispose: @escaping @Sendable (Value) -> Void
  ) -> ProviderFamily<Self, repeat each Argument> where Value: Sendable {
    family(name, scope: scope, fileID: fileID, line: line, build)
  }

  /// Causes a warning: a weak instance can be deallocated at any time, so no pod could dispose it.
  @available(*, deprecated, message: "nobody keeps an instance of WeakScope, so nobody could dispose it")
  public init(
    _ name: String? = nil, scope: WeakScope, fileID: StaticString = #fileID, line: UInt = #line,
    _ build: @escaping @Sendable (Pod) -> Value, onDispose: @escaping @Sendable (Value) -> Void
  ) where Value: Sendable {
    self.init(name, scope: scope, fileID: fileID, line: line, build)
  }

  /// Causes a warning: a weak instance can be deallocated at any time, so no pod could dispose it.
  @available(*, deprecated, message: "nobody keeps an instance of WeakScope, so nobody could dispose it")
  public static func family<each Argument: Hashable & Sendable>(
    _ name: String? = nil, scope: WeakScope, fileID: StaticString = #fileID, line: UInt = #line,
    _ build: @escaping @Sendable (Pod, repeat each Argument) -> Value,
    onDispose: @escaping @Sendable (Value) -> Void
  ) -> ProviderFamily<Self, repeat each Argument> where Value: Sendable {
    family(name, scope: scope, fileID: fileID, line: line, build)
  }
}
