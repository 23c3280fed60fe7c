extension Pod {
  /// Returns the instance of a provider.
  ///
  /// The pod builds an instance once for as long as its scope lasts. Other threads that resolve the provider wait for that build. A
  /// dependency cycle stops the program with a message that lists the providers. So does a scope with
  /// ``ProviderScope/requiresOwner`` that neither this pod nor an ancestor owns.
  ///
  /// - Complexity: O(1), without a lock or an allocation, when the instance is cached.
  /// - Parameter provider: The provider to resolve.
  /// - Returns: The instance.
  @inlinable
  public func resolve<Value>(_ provider: Provider<Value>) -> sending Value {
    let declaration = provider.declaration
    // Safe: a cached value is `Sendable`. Any other value was built for this caller alone.
    nonisolated(unsafe) let value: Value = read(declaration) { resolveUncached(declaration) }
    return value
  }

  /// Returns the instance of a provider, or throws the error of its builder.
  ///
  /// Every caller that waited for a failed build receives the error. The next resolve builds again. A scope with
  /// ``ProviderScope/requiresOwner`` that neither this pod nor an ancestor owns stops the program.
  ///
  /// - Complexity: O(1), without a lock or an allocation, when the instance is cached.
  /// - Parameter provider: The provider to resolve.
  /// - Returns: The instance.
  /// - Throws: The builder's error, or ``ProviderCycleError`` for a dependency cycle.
  @inlinable
  public func resolve<Value>(_ provider: ThrowingProvider<Value>) throws -> Value {
    let declaration = provider.declaration
    return try read(declaration) { () throws in try resolveUncachedThrowing(declaration) }
  }

  /// Returns the instance of an async provider, in the isolation of the caller.
  ///
  /// The pod builds an instance once, however many tasks resolve the provider. A caller that is canceled while it waits
  /// receives `CancellationError` at once, and the build continues for the other callers. A canceled task may read cached
  /// instances, but starts no build. A scope with ``ProviderScope/requiresOwner`` that neither this pod nor an ancestor owns stops the
  /// program.
  ///
  /// - Complexity: O(1), without a lock, an allocation or a suspension, when the instance is cached.
  /// - Parameter provider: The provider to resolve.
  /// - Returns: The instance.
  /// - Throws: The builder's error, `CancellationError`, or ``ProviderCycleError`` for a dependency cycle.
  nonisolated(nonsending)
    public func resolve<Value>(_ provider: AsyncProvider<Value>) async throws -> Value
  {
    // Returning an optional of the value's type would cost more than the rest of this function.
    do {
      return try read(provider.declaration) { () throws(NotCached) in throw NotCached() }
    } catch {}
    return try await Engine.asyncValue(provider.declaration, in: self)
  }

  /// Returns the instance of a main-actor provider, on the main actor.
  ///
  /// The pod builds an instance once for as long as its scope lasts. A dependency cycle stops the program with a message that lists the
  /// providers. So does a scope with ``ProviderScope/requiresOwner`` that neither this pod nor an ancestor owns.
  ///
  /// - Complexity: O(1), without a lock or an allocation, when the instance is cached.
  /// - Parameter provider: The provider to resolve.
  /// - Returns: The instance.
  @MainActor @inlinable
  public func resolve<Value>(_ provider: MainActorProvider<Value>) -> Value {
    let declaration = provider.declaration
    return read(declaration) { resolveUncached(declaration) }
  }

  /// Unavailable: a pod resolves providers, not types.
  @available(*, unavailable, message: "pass a provider, not a type: declare `let xProvider = Provider { … }`")
  public func resolve<Value>(_ type: Value.Type) -> Value { fatalError() }

  /// Resolves a provider that cannot throw and whose slot is empty.
  @inlinable
  func resolveUncached<Value>(_ declaration: Declaration) -> Value {
    // This code is inlined into the caller, which knows the type of the value. The library would have to ask the
    // runtime how to move the value.
    guard let value = resolveCached(declaration) else { return resolveTransient(declaration) }
    return value.take(isReference: declaration.isReference)
  }

  /// Resolves a provider that cannot throw; returns `nil` for a transient provider.
  @usableFromInline @inline(never)
  func resolveCached(_ declaration: Declaration) -> StoredValue? {
    declaration.isTransient ? nil : Engine.storedValue(declaration, in: self)
  }

  /// Resolves a transient provider that cannot throw.
  @usableFromInline @inline(never)
  func resolveTransient<Value>(_ declaration: Declaration) -> Value {
    // As in `Engine.storedValue`, nothing is thrown.
    try! resolveUncachedThrowing(declaration)
  }

  /// Resolves a provider whose slot is empty.
  @usableFromInline @inline(never)
  func resolveUncachedThrowing<Value>(_ declaration: Declaration) throws -> Value {
    if let pod = builderPod(ofRecorded: declaration) { return try Engine.unrecordedValue(declaration, for: pod) }
    return try Engine.throwingValue(declaration, in: self)
  }

  /// Calls a body with the instance of a provider, without retaining a cached instance.
  ///
  /// The instance stays alive until the body returns, even if the body clears or disposes it.
  ///
  /// - Complexity: As ``resolve(_:)-(Provider<Value>)``.
  /// - Parameters:
  ///   - provider: The provider to resolve.
  ///   - body: A closure that uses the instance.
  /// - Returns: The result of the body.
  /// - Throws: The error of the body.
  @inlinable
  public func withResolved<Value, Result, Failure: Error>(
    _ provider: Provider<Value>, _ body: (borrowing Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let declaration = provider.declaration
    let found = readSlot(of: declaration)
    if found.isNothing { return try body(resolveUncached(declaration)) }
    // An optimized caller would otherwise release the pod, and with it the slot, before the read ends.
    return try withExtendedLifetime(self) { () throws(Failure) in
      defer { if !found.giveBack() { endRead(found, of: declaration) } }
      return try found.look(body)
    }
  }
}

/// The error that sends a request with an empty slot to the slow path.
private struct NotCached: Error {}
