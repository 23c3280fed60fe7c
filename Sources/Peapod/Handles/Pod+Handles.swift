extension Pod {
  // MARK: - Deferred dependencies

  /// Returns a `Lazy` that resolves a provider on the first use.
  ///
  /// A `Lazy` that is made inside a builder is a deferred dependency. A deferred dependency forms no dependency cycle.
  /// Overrides and child pods treat it as they treat other dependencies. The builder runs on the thread of the first use.
  ///
  /// - Complexity: O(1). A `Lazy` allocates a small pod, which caches the value.
  /// - Parameter provider: The provider to resolve.
  /// - Returns: The `Lazy`. Outside of builders, it retains this pod.
  public func lazy<Value>(_ provider: Provider<Value>) -> Lazy<Value> {
    Lazy(provider.declaration, in: self)
  }

  /// Returns a closure that resolves a provider at each call, as its scope says.
  ///
  /// Business types take a plain `() -> Value`, so they need not import this library.
  ///
  /// - Parameter provider: The provider to resolve.
  /// - Returns: The closure. Outside of builders, it retains this pod.
  public func factory<Value>(_ provider: Provider<Value>) -> @Sendable () -> Value {
    let deferral = Deferral.record(provider.declaration, in: self, as: "factory")
    guard deferral != nil else { return { self.resolve(provider) } }
    return { Engine.value(provider.declaration, in: self, deferral) }
  }

  /// Returns a closure that resolves a throwing provider at each call, as its scope says.
  ///
  /// - Parameter provider: The provider to resolve.
  /// - Returns: The closure. Outside of builders, it retains this pod.
  public func factory<Value>(_ provider: ThrowingProvider<Value>) -> @Sendable () throws -> Value {
    let deferral = Deferral.record(provider.declaration, in: self, as: "factory")
    guard deferral != nil else { return { try self.resolve(provider) } }
    return { try Engine.throwingValue(provider.declaration, in: self, deferral) }
  }

  /// Returns a closure that resolves an async provider at each call, as its scope says.
  ///
  /// - Parameter provider: The provider to resolve.
  /// - Returns: The closure, which runs in its caller's isolation. Outside of builders, it retains this pod.
  public func factory<Value>(
    _ provider: AsyncProvider<Value>
  ) -> nonisolated(nonsending) @Sendable () async throws -> Value {
    let deferral = Deferral.record(provider.declaration, in: self, as: "factory")
    guard deferral != nil else { return { try await self.resolve(provider) } }
    return { try await Engine.asyncValue(provider.declaration, in: self, deferral) }
  }

  /// Returns a closure that resolves a main-actor provider at each call, as its scope says.
  ///
  /// - Parameter provider: The provider to resolve.
  /// - Returns: The closure. Outside of builders, it retains this pod.
  public func factory<Value>(_ provider: MainActorProvider<Value>) -> @MainActor @Sendable () -> Value {
    let deferral = Deferral.record(provider.declaration, in: self, as: "factory")
    guard deferral != nil else { return { self.resolve(provider) } }
    return { Engine.value(provider.declaration, in: self, deferral) }
  }

  // MARK: - Factories with arguments

  /// Returns a closure that resolves the member of a family for its arguments.
  ///
  /// - Parameter family: The family to resolve.
  /// - Returns: The closure. Outside of builders, it retains this pod.
  public func factory<Value, each Argument>(
    _ family: ProviderFamily<Provider<Value>, repeat each Argument>
  ) -> @Sendable (repeat each Argument) -> Value {
    let deferral = Deferral.record(family.family, in: self, as: "factory")
    guard deferral != nil else {
      return { (arguments: repeat each Argument) in self.resolve(family(repeat each arguments)) }
    }
    return { (arguments: repeat each Argument) in
      Engine.value(family(repeat each arguments).declaration, in: self, deferral)
    }
  }

  /// Returns a closure that resolves the member of a main-actor family for its arguments.
  ///
  /// - Parameter family: The family to resolve.
  /// - Returns: The closure. Outside of builders, it retains this pod.
  public func factory<Value, each Argument>(
    _ family: ProviderFamily<MainActorProvider<Value>, repeat each Argument>
  ) -> @MainActor @Sendable (repeat each Argument) -> Value {
    let deferral = Deferral.record(family.family, in: self, as: "factory")
    guard deferral != nil else {
      return { (arguments: repeat each Argument) in self.resolve(family(repeat each arguments)) }
    }
    return { (arguments: repeat each Argument) in
      Engine.value(family(repeat each arguments).declaration, in: self, deferral)
    }
  }

  /// Returns a closure that resolves the member of a throwing family for its arguments.
  ///
  /// - Parameter family: The family to resolve.
  /// - Returns: The closure. Outside of builders, it retains this pod.
  public func factory<Value, each Argument>(
    _ family: ProviderFamily<ThrowingProvider<Value>, repeat each Argument>
  ) -> @Sendable (repeat each Argument) throws -> Value {
    let deferral = Deferral.record(family.family, in: self, as: "factory")
    guard deferral != nil else {
      return { (arguments: repeat each Argument) in try self.resolve(family(repeat each arguments)) }
    }
    return { (arguments: repeat each Argument) in
      try Engine.throwingValue(family(repeat each arguments).declaration, in: self, deferral)
    }
  }

  /// Returns a closure that resolves the member of an async family for its arguments.
  ///
  /// - Parameter family: The family to resolve.
  /// - Returns: The closure. Outside of builders, it retains this pod. Unlike other async calls, the closure leaves its caller's
  ///   isolation while it resolves.
  public func factory<Value, each Argument: Sendable>(
    _ family: ProviderFamily<AsyncProvider<Value>, repeat each Argument>
  ) -> nonisolated(nonsending) @Sendable (repeat each Argument) async throws -> Value {
    let deferral = Deferral.record(family.family, in: self, as: "factory")
    // Swift 6.3 crashes on a closure with a parameter pack that runs in its caller's isolation, so this closure leaves
    // that isolation.
    let resolveMember: @Sendable (repeat each Argument) async throws -> Value = { (arguments: repeat each Argument) in
      try await Engine.asyncValue(family(repeat each arguments).declaration, in: self, deferral)
    }
    return resolveMember
  }
}
