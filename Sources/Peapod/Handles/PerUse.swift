/// A way to use a fresh instance and dispose it afterwards, again and again.
///
/// ```swift
/// let connection = pod.perUse(connectionProvider)
/// let rows = connection.use { $0.query("…") }
/// ```
public struct PerUse<Value: Sendable>: Sendable {
  let pod: Pod
  let provider: Provider<Value>
  let outer: Override?

  /// Builds a fresh instance, gives it to the body, and disposes it; on a thrown error too.
  ///
  /// What the instance depends on is resolved as usual.
  ///
  /// - Parameter body: Uses the instance.
  /// - Returns: What the body returns.
  /// - Throws: What the body throws.
  public func use<Result, Failure: Error>(
    _ body: (Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let instance = FreshInstance<Value>(provider.declaration, in: pod, outer: outer)
    defer { instance.dispose() }
    return try body(instance.value)
  }
}

extension Pod {
  // MARK: - Fresh instances

  /// Returns a handle that builds a fresh instance for each use and disposes it afterwards.
  ///
  /// - Parameter provider: What to build.
  /// - Returns: The handle.
  public func perUse<Value>(_ provider: Provider<Value>) -> PerUse<Value> {
    PerUse(pod: self, provider: provider, outer: Engine.promise(provider.declaration, in: self))
  }

  /// Builds a fresh instance, gives it to the body, and disposes it; on a thrown error too.
  ///
  /// What the instance depends on is resolved as usual.
  ///
  /// - Parameters:
  ///   - provider: What to build.
  ///   - body: Uses the instance.
  /// - Returns: What the body returns.
  /// - Throws: What the body throws.
  public func withFreshInstance<Value: Sendable, Result, Failure: Error>(
    of provider: Provider<Value>, _ body: (Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let instance = FreshInstance<Value>(provider.declaration, in: self, outer: nil)
    defer { instance.dispose() }
    return try body(instance.value)
  }

  /// Builds a fresh instance, gives it to an asynchronous body, and disposes it; on a thrown error too.
  ///
  /// - Parameters:
  ///   - isolation: The caller's isolation.
  ///   - provider: What to build.
  ///   - body: Uses the instance.
  /// - Returns: What the body returns.
  /// - Throws: What the body throws.
  public func withFreshInstance<Value: Sendable, Result, Failure: Error>(
    isolation: isolated (any Actor)? = #isolation, of provider: Provider<Value>,
    _ body: (Value) async throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    let instance = FreshInstance<Value>(provider.declaration, in: self, outer: nil)
    defer { instance.dispose() }
    return try await body(instance.value)
  }

  /// Builds a fresh instance of an asynchronous provider, gives it to the body, and waits for its disposal; on a thrown
  /// error too.
  ///
  /// - Parameters:
  ///   - isolation: The caller's isolation.
  ///   - provider: What to build.
  ///   - body: Uses the instance.
  /// - Returns: What the body returns.
  /// - Throws: What the builder or the body throws, or ``ProviderCycleError``.
  public func withFreshInstance<Value, Result>(
    isolation: isolated (any Actor)? = #isolation, of provider: AsyncProvider<Value>,
    _ body: (Value) async throws -> Result
  ) async throws -> Result {
    let (entry, value): (Entry, Value) = try await Engine.freshAsyncValue(provider.declaration, in: self)
    let result: Swift.Result<Result, any Error>
    do { result = .success(try await body(value)) } catch { result = .failure(error) }
    let teardown = Teardown()
    Engine.locked { Teardown.begin(entry, for: teardown, isFinal: true, &$0) }
    await teardown.wait()
    return try result.get()
  }
}
