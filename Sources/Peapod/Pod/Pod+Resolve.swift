extension Pod {
  /// Returns the instance that a provider describes.
  ///
  /// An instance is built exactly once for as long as its scope keeps it, however many threads ask; the others wait for
  /// that one build. A cycle of providers that need each other stops the program with the way it takes.
  ///
  /// - Complexity: O(1), without a lock or an allocation, when the instance is cached.
  /// - Parameter provider: What to resolve.
  /// - Returns: The instance.
  public func resolve<Value>(_ provider: Provider<Value>) -> sending Value {
    let declaration = provider.declaration
    // Safe: a value that is kept is Sendable; any other was built for this caller alone.
    nonisolated(unsafe) let value = resolveSafely(declaration, as: Value.self)
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
  public func resolve<Value>(_ provider: ThrowingProvider<Value>) throws -> Value {
    try read(
      provider.declaration, as: Value.self,
      fresh: { (directory) throws in try Engine.makeUnrecorded(provider.declaration, in: self, directory) },
      else: { () throws in try Engine.throwingValue(provider.declaration, in: self) })
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
      return try read(
        provider.declaration, as: Value.self, fresh: { (_) throws(NotCached) in throw NotCached() },
        else: { () throws(NotCached) in throw NotCached() })
    } catch {}
    return try await Engine.asyncValue(provider.declaration, in: self)
  }

  /// Returns the instance that a provider describes, on the main actor.
  ///
  /// - Complexity: O(1), without a lock or an allocation, when the instance is cached.
  /// - Parameter provider: What to resolve.
  /// - Returns: The instance.
  @MainActor
  public func resolve<Value>(_ provider: MainActorProvider<Value>) -> Value {
    resolveSafely(provider.declaration, as: Value.self)
  }

  /// Resolves a provider that cannot throw.
  @inline(__always)
  private func resolveSafely<Value>(_ declaration: Declaration, as type: Value.Type) -> Value {
    read(
      declaration, as: Value.self, fresh: { Engine.makeUnrecordedSafely(declaration, in: self, $0) },
      else: { Engine.value(declaration, in: self) })
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
  public func withResolved<Value, Result, Failure: Error>(
    _ provider: Provider<Value>, _ body: (borrowing Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let declaration = provider.declaration
    if let directory = readableDirectory, let slot = SlotTable.slot(declaration.index, in: directory) {
      if declaration.isReference {
        if var reference = slot.pointee.takeReference() {
          // It is this function's, and released when the body has returned.
          let value: Value = Engine.take(&reference)
          return try body(value)
        }
      } else if let address = slot.pointee.pin() {
        defer { endReading(slot, declaration) }
        Delay.step()
        // Safe: the address of a value of this type, which stays while this reader is counted in.
        return try body(
          UnsafeRawPointer(bitPattern: address).unsafelyUnwrapped.assumingMemoryBound(to: Value.self).pointee)
      }
    }
    return try body(Engine.value(declaration, in: self))
  }

}

/// There was nothing to read: the request takes the long way.
private struct NotCached: Error {}
