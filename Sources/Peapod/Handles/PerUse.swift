/// A value that builds a fresh instance for each use, and disposes the instance afterwards.
///
/// ```swift
/// let connection = pod.perUse(connectionProvider)
/// let rows = connection.use { $0.query("…") }
/// ```
public struct PerUse<Value: Sendable>: Sendable {
  let pod: Pod
  let provider: Provider<Value>
  let deferral: Deferral?

  /// Builds a fresh instance, passes it to the body and disposes it afterwards, even if the body throws.
  ///
  /// The dependencies of the instance are resolved as usual.
  ///
  /// - Parameter body: The closure that uses the instance.
  /// - Returns: The result of the body.
  /// - Throws: The error of the body.
  @discardableResult
  public func use<Result, Failure: Error>(
    _ body: (Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let (instance, value): (Instance, Value) = Engine.fresh(provider.declaration, in: pod, deferral)
    defer { Teardown.run([instance]) }
    return try body(value)
  }
}

extension Pod {
  // MARK: - Fresh instances

  /// Returns a value that builds a fresh instance for each use and disposes it afterwards.
  ///
  /// - Parameter provider: The provider to build.
  /// - Returns: The `PerUse`. Outside of builders, it retains this pod.
  public func perUse<Value>(_ provider: Provider<Value>) -> PerUse<Value> {
    PerUse(pod: self, provider: provider, deferral: .record(provider.declaration, in: self, as: "PerUse"))
  }

  /// Builds a fresh instance, passes it to the body and disposes it afterwards, even if the body throws.
  ///
  /// The dependencies of the instance are resolved as usual.
  ///
  /// - Parameters:
  ///   - provider: The provider to build.
  ///   - body: The closure that uses the instance.
  /// - Returns: The result of the body.
  /// - Throws: The error of the body.
  @discardableResult
  public func withFreshInstance<Value: Sendable, Result, Failure: Error>(
    of provider: Provider<Value>, _ body: (Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let (instance, value): (Instance, Value) = Engine.fresh(provider.declaration, in: self, nil)
    defer { Teardown.run([instance]) }
    return try body(value)
  }

  /// Builds a fresh instance, passes it to an async body and disposes it afterwards, even if the body throws.
  ///
  /// - Parameters:
  ///   - isolation: The caller's isolation.
  ///   - provider: The provider to build.
  ///   - body: The closure that uses the instance.
  /// - Returns: The result of the body.
  /// - Throws: The error of the body.
  @discardableResult
  public func withFreshInstance<Value: Sendable, Result, Failure: Error>(
    isolation: isolated (any Actor)? = #isolation, of provider: Provider<Value>,
    _ body: (Value) async throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    let (instance, value): (Instance, Value) = Engine.fresh(provider.declaration, in: self, nil)
    defer { Teardown.run([instance]) }
    return try await body(value)
  }

  /// Builds a fresh instance of an async provider, passes it to the body and awaits its disposal, even if the body throws.
  ///
  /// - Parameters:
  ///   - isolation: The caller's isolation.
  ///   - provider: The provider to build.
  ///   - body: The closure that uses the instance.
  /// - Returns: The result of the body.
  /// - Throws: The error of the builder or of the body, or ``ProviderCycleError``.
  @discardableResult
  public func withFreshInstance<Value, Result>(
    isolation: isolated (any Actor)? = #isolation, of provider: AsyncProvider<Value>,
    _ body: (Value) async throws -> Result
  ) async throws -> Result {
    let (instance, value): (Instance, Value) = try await Engine.freshAsync(provider.declaration, in: self)
    let result: Swift.Result<Result, any Error>
    do { result = .success(try await body(value)) } catch { result = .failure(error) }
    let group = DisposalGroup()
    Teardown.run([instance], awaitedBy: group)
    await group.wait()
    return try result.get()
  }
}
