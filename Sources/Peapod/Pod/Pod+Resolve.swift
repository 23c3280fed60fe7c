extension Pod {
  /// Returns the instance that a provider describes.
  ///
  /// An instance is built exactly once for as long as its scope keeps it, however many threads ask; the others wait for
  /// that one build. A cycle of providers that need each other stops the program with the way it takes.
  ///
  /// - Complexity: O(1), without a lock or an allocation, when the instance is cached.
  /// - Parameter provider: What to resolve.
  /// - Returns: The instance.
  @inlinable
  public func resolve<Value>(_ provider: Provider<Value>) -> sending Value {
    let declaration = provider.declaration
    // Safe: a value that is kept is Sendable; any other was built for this caller alone.
    nonisolated(unsafe) let value: Value = read(declaration) { resolveUncached(declaration) }
    return value
  }

  /// Returns the instance that a provider describes, or throws what its builder throws.
  ///
  /// The error of a failed build goes to everyone who waited for that attempt; the next resolve tries again.
  ///
  /// - Complexity: O(1), without a lock or an allocation, when the instance is cached.
  /// - Parameter provider: What to resolve.
  /// - Returns: The instance.
  /// - Throws: The builder's error, or ``ProviderCycleError`` where providers need each other to be built.
  @inlinable
  public func resolve<Value>(_ provider: ThrowingProvider<Value>) throws -> Value {
    let declaration = provider.declaration
    return try read(declaration) { () throws in try resolveUncachedThrowing(declaration) }
  }

  /// Returns the instance that an asynchronous provider describes, in the isolation of the caller.
  ///
  /// However many tasks ask, it is built once. A caller that is cancelled while it waits gets `CancellationError` at once;
  /// the build goes on for the others. A cancelled task may read what is cached, and begins nothing.
  ///
  /// - Complexity: O(1), without a lock, an allocation or a suspension, when the instance is cached.
  /// - Parameter provider: What to resolve.
  /// - Returns: The instance.
  /// - Throws: The builder's error, `CancellationError`, or ``ProviderCycleError`` where providers need each other.
  nonisolated(nonsending)
    public func resolve<Value>(_ provider: AsyncProvider<Value>) async throws -> Value
  {
    // Copies only where there is something to copy: an optional of the value's type would cost more than all the rest.
    do {
      return try read(provider.declaration) { () throws(NotCached) in throw NotCached() }
    } catch {}
    return try await Engine.asyncValue(provider.declaration, in: self)
  }

  /// Returns the instance that a provider describes, on the main actor.
  ///
  /// - Complexity: O(1), without a lock or an allocation, when the instance is cached.
  /// - Parameter provider: What to resolve.
  /// - Returns: The instance.
  @MainActor @inlinable
  public func resolve<Value>(_ provider: MainActorProvider<Value>) -> Value {
    let declaration = provider.declaration
    return read(declaration) { resolveUncached(declaration) }
  }

  /// Resolves a provider that cannot throw and of which readers find nothing.
  @inlinable
  func resolveUncached<Value>(_ declaration: Declaration) -> Value {
    // The caller knows the type of the reference: the library would have to ask the runtime how to move it.
    var word = resolveReference(declaration)
    if word != 0 { return Memory.take(&word) }
    return resolveOther(declaration)
  }

  /// Resolves a provider of references that cannot throw and may be kept; zero for any other, which it leaves alone.
  @usableFromInline @inline(never)
  func resolveReference(_ declaration: Declaration) -> UInt {
    guard declaration.isReference, !declaration.isTransient else { return 0 }
    return Engine.reference(declaration, in: self, outer: nil)
  }

  /// Resolves a provider that cannot throw, of whatever type.
  @usableFromInline @inline(never)
  func resolveOther<Value>(_ declaration: Declaration) -> Value {
    if let directory = directoryOfRecorded(declaration) {
      return Engine.makeUnrecordedSafely(declaration, in: self, directory)
    }
    return Engine.value(declaration, in: self)
  }

  /// Resolves a provider of which readers find nothing.
  @usableFromInline @inline(never)
  func resolveUncachedThrowing<Value>(_ declaration: Declaration) throws -> Value {
    if let directory = directoryOfRecorded(declaration) {
      return try Engine.makeUnrecorded(declaration, in: self, directory)
    }
    return try Engine.throwingValue(declaration, in: self)
  }

  /// Calls the body with the instance that a provider describes, without retaining it when it is cached.
  ///
  /// The instance stays alive until the body returns, even if the body clears or disposes it.
  ///
  /// - Complexity: As ``resolve(_:)-(Provider<Value>)``.
  /// - Parameters:
  ///   - provider: What to resolve.
  ///   - body: Uses the instance.
  /// - Returns: What the body returns.
  /// - Throws: What the body throws.
  @inlinable
  public func withResolved<Value, Result, Failure: Error>(
    _ provider: Provider<Value>, _ body: (borrowing Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let declaration = provider.declaration
    let glimpse = look(at: declaration)
    if glimpse.isNothing { return try body(resolveUncached(declaration)) }
    // An optimised caller would else let the pod go, and with it the slot, before the look ends.
    return try withExtendedLifetime(self) { () throws(Failure) in
      defer { if !glimpse.giveBack() { endLook(glimpse, at: declaration) } }
      return try glimpse.look(body)
    }
  }
}

/// There was nothing to read: the request takes the long way.
private struct NotCached: Error {}
