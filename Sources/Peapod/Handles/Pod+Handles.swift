extension Pod {
  // MARK: - Handles

  /// Returns a handle that resolves a provider when its value is first asked for, and keeps that.
  ///
  /// Made inside a builder it is a deferred dependency: never part of a construction cycle, and followed by overrides
  /// and child pods.
  ///
  /// - Parameter provider: What to resolve.
  /// - Returns: The handle.
  public func lazy<Value>(_ provider: Provider<Value>) -> Lazy<Value> {
    Lazy(provider.declaration, in: self, outer: Engine.promise(provider.declaration, in: self))
  }

  /// Returns a closure that resolves a provider at each call, as its scope says.
  ///
  /// Business types take it as a plain `() -> Value` and need not import this library.
  ///
  /// - Parameter provider: What to resolve.
  /// - Returns: The closure. It holds this pod.
  public func factory<Value>(_ provider: Provider<Value>) -> @Sendable () -> Value {
    let outer = Engine.promise(provider.declaration, in: self)
    guard outer != nil else { return { self.resolve(provider) } }
    return { Engine.value(provider.declaration, in: self, outer: outer) }
  }

  /// Returns a closure that resolves a throwing provider at each call, as its scope says.
  ///
  /// - Parameter provider: What to resolve.
  /// - Returns: The closure. It holds this pod.
  public func factory<Value>(_ provider: ThrowingProvider<Value>) -> @Sendable () throws -> Value {
    let outer = Engine.promise(provider.declaration, in: self)
    guard outer != nil else { return { try self.resolve(provider) } }
    return { try Engine.throwingValue(provider.declaration, in: self, outer: outer) }
  }

  /// Returns a closure that resolves an asynchronous provider at each call, as its scope says.
  ///
  /// - Parameter provider: What to resolve.
  /// - Returns: The closure. It holds this pod, and runs in its caller's isolation.
  public func factory<Value>(
    _ provider: AsyncProvider<Value>
  ) -> nonisolated(nonsending) @Sendable () async throws -> Value {
    let outer = Engine.promise(provider.declaration, in: self)
    guard outer != nil else { return { try await self.resolve(provider) } }
    return { try await Engine.asyncValue(provider.declaration, in: self, outer: outer) }
  }

  /// Returns a closure that resolves a main-actor provider at each call, as its scope says.
  ///
  /// - Parameter provider: What to resolve.
  /// - Returns: The closure. It holds this pod.
  public func factory<Value>(_ provider: MainActorProvider<Value>) -> @MainActor @Sendable () -> Value {
    let outer = Engine.promise(provider.declaration, in: self)
    guard outer != nil else { return { self.resolve(provider) } }
    return { Engine.value(provider.declaration, in: self, outer: outer) }
  }

  // MARK: - Factories with arguments

  /// Returns a closure that resolves the member of a family for its arguments.
  ///
  /// - Parameter family: What to resolve.
  /// - Returns: The closure. It holds this pod.
  public func factory<Value, each Argument>(
    _ family: ProviderFamily<Provider<Value>, repeat each Argument>
  ) -> @Sendable (repeat each Argument) -> Value {
    _ = Engine.promise(family.family, in: self)
    return { (arguments: repeat each Argument) in self.resolve(family(repeat each arguments)) }
  }

  /// Returns a closure that resolves the member of a main-actor family for its arguments.
  ///
  /// - Parameter family: What to resolve.
  /// - Returns: The closure. It holds this pod.
  public func factory<Value, each Argument>(
    _ family: ProviderFamily<MainActorProvider<Value>, repeat each Argument>
  ) -> @MainActor @Sendable (repeat each Argument) -> Value {
    _ = Engine.promise(family.family, in: self)
    return { (arguments: repeat each Argument) in self.resolve(family(repeat each arguments)) }
  }

  /// Returns a closure that resolves the member of a throwing family for its arguments.
  ///
  /// - Parameter family: What to resolve.
  /// - Returns: The closure. It holds this pod.
  public func factory<Value, each Argument>(
    _ family: ProviderFamily<ThrowingProvider<Value>, repeat each Argument>
  ) -> @Sendable (repeat each Argument) throws -> Value {
    _ = Engine.promise(family.family, in: self)
    return { (arguments: repeat each Argument) in try self.resolve(family(repeat each arguments)) }
  }

  /// Returns a closure that resolves the member of an asynchronous family for its arguments.
  ///
  /// - Parameter family: What to resolve.
  /// - Returns: The closure. It holds this pod. Unlike the other asynchronous calls it leaves its caller's isolation while it
  ///   resolves.
  public func factory<Value, each Argument: Sendable>(
    _ family: ProviderFamily<AsyncProvider<Value>, repeat each Argument>
  ) -> nonisolated(nonsending) @Sendable (repeat each Argument) async throws -> Value {
    _ = Engine.promise(family.family, in: self)
    // Swift 6.3 crashes on a closure with a parameter pack that runs in its caller's isolation, so this one hops.
    let resolveMember: @Sendable (repeat each Argument) async throws -> Value = { (arguments: repeat each Argument) in
      try await self.resolve(family(repeat each arguments))
    }
    return resolveMember
  }
}
