extension Pod {
  // MARK: - Overriding

  /// Replaces the builder of a provider in this pod and its descendants.
  ///
  /// From now on, every resolve answers as though the override had always been there. The pod hides the cached instances of the
  /// provider and of its dependents. Later resolves build new instances. An override that resolves its own provider receives
  /// the original value.
  ///
  /// - Complexity: O(1) in a pod that caches nothing, otherwise O(instances of the pod and its descendants).
  /// - Parameters:
  ///   - provider: The provider to override. Its scope does not change.
  ///   - build: The builder that replaces the original.
  @inlinable
  public func overrideProvider<Value>(
    _ provider: Provider<Value>, with build: @escaping @Sendable (Pod) -> sending Value
  ) {
    override(provider.declaration) { pod, target in .storing(build(pod), isReference: target.isReference) }
  }

  /// Replaces the builder and the scope of a provider in this pod and its descendants.
  ///
  /// - Parameters:
  ///   - provider: The provider to override.
  ///   - scope: The scope of the override's instances.
  ///   - build: The builder that replaces the original.
  public func overrideProvider<Value: Sendable>(
    _ provider: Provider<Value>, scope: some ProviderScope, with build: @escaping @Sendable (Pod) -> Value
  ) {
    install(
      Override(
        provider.declaration, scope: .of(scope),
        .sync { pod, target in
          .storing(build(pod), isReference: target.isReference)
        }))
  }

  /// Overrides a provider with a value in this pod and its descendants.
  ///
  /// - Parameters:
  ///   - provider: The provider to override.
  ///   - value: The value of every resolve. The pod does not dispose it, since the pod did not build it.
  @inlinable
  public func overrideProvider<Value: Sendable>(_ provider: Provider<Value>, withValue value: Value) {
    override(provider.declaration, withValue: .storing(value, isReference: provider.declaration.isReference))
  }

  /// Replaces the builder of a throwing provider in this pod and its descendants.
  ///
  /// - Parameters:
  ///   - provider: The provider to override. Its scope does not change.
  ///   - build: The builder that replaces the original. It may throw.
  @inlinable
  public func overrideProvider<Value>(
    _ provider: ThrowingProvider<Value>, with build: @escaping @Sendable (Pod) throws -> Value
  ) {
    override(provider.declaration) { pod, target in .storing(try build(pod), isReference: target.isReference) }
  }

  /// Replaces the builder and the scope of a throwing provider in this pod and its descendants.
  ///
  /// - Parameters:
  ///   - provider: The provider to override.
  ///   - scope: The scope of the override's instances.
  ///   - build: The builder that replaces the original. It may throw.
  public func overrideProvider<Value>(
    _ provider: ThrowingProvider<Value>, scope: some ProviderScope,
    with build: @escaping @Sendable (Pod) throws -> Value
  ) {
    install(
      Override(
        provider.declaration, scope: .of(scope),
        .sync { pod, target in
          .storing(try build(pod), isReference: target.isReference)
        }))
  }

  /// Overrides a throwing provider with a value in this pod and its descendants.
  ///
  /// - Parameters:
  ///   - provider: The provider to override.
  ///   - value: The value of every resolve. The pod does not dispose it, since the pod did not build it.
  @inlinable
  public func overrideProvider<Value>(_ provider: ThrowingProvider<Value>, withValue value: Value) {
    override(provider.declaration, withValue: .storing(value, isReference: provider.declaration.isReference))
  }

  /// Replaces the builder of an async provider in this pod and its descendants.
  ///
  /// - Parameters:
  ///   - provider: The provider to override. Its scope does not change.
  ///   - build: The builder that replaces the original. It may throw.
  public func overrideProvider<Value>(
    _ provider: AsyncProvider<Value>, with build: @escaping @Sendable (Pod) async throws -> Value
  ) {
    install(
      Override(
        provider.declaration, .async { pod, target in .storing(try await build(pod), isReference: target.isReference) })
    )
  }

  /// Replaces the builder and the scope of an async provider in this pod and its descendants.
  ///
  /// - Parameters:
  ///   - provider: The provider to override.
  ///   - scope: The scope of the override's instances.
  ///   - build: The builder that replaces the original. It may throw.
  public func overrideProvider<Value>(
    _ provider: AsyncProvider<Value>, scope: some ProviderScope,
    with build: @escaping @Sendable (Pod) async throws -> Value
  ) {
    install(
      Override(
        provider.declaration, scope: .of(scope),
        .async { pod, target in .storing(try await build(pod), isReference: target.isReference) }))
  }

  /// Overrides an async provider with a value in this pod and its descendants.
  ///
  /// - Parameters:
  ///   - provider: The provider to override.
  ///   - value: The value of every resolve. The pod does not dispose it, since the pod did not build it.
  @inlinable
  public func overrideProvider<Value>(_ provider: AsyncProvider<Value>, withValue value: Value) {
    override(provider.declaration, withValue: .storing(value, isReference: provider.declaration.isReference))
  }

  /// Replaces the builder of a main-actor provider in this pod and its descendants.
  ///
  /// - Parameters:
  ///   - provider: The provider to override. Its scope does not change.
  ///   - build: The builder that replaces the original, on the main actor.
  public func overrideProvider<Value>(
    _ provider: MainActorProvider<Value>, with build: @escaping @MainActor (Pod) -> Value
  ) {
    let build = onMainActor(build)
    install(
      Override(provider.declaration, .sync { pod, target in .storing(build(pod), isReference: target.isReference) }))
  }

  /// Replaces the builder and the scope of a main-actor provider in this pod and its descendants.
  ///
  /// - Parameters:
  ///   - provider: The provider to override.
  ///   - scope: The scope of the override's instances.
  ///   - build: The builder that replaces the original, on the main actor.
  public func overrideProvider<Value>(
    _ provider: MainActorProvider<Value>, scope: some ProviderScope, with build: @escaping @MainActor (Pod) -> Value
  ) {
    let build = onMainActor(build)
    install(
      Override(
        provider.declaration, scope: .of(scope),
        .sync { pod, target in
          .storing(build(pod), isReference: target.isReference)
        }))
  }

  /// Overrides a main-actor provider with a value in this pod and its descendants.
  ///
  /// - Parameters:
  ///   - provider: The provider to override.
  ///   - value: The value of every resolve. The pod does not dispose it, since the pod did not build it.
  @MainActor @inlinable
  public func overrideProvider<Value>(_ provider: MainActorProvider<Value>, withValue value: Value) {
    override(provider.declaration, withValue: .storing(value, isReference: provider.declaration.isReference))
  }

  // Generic functions above call the following two, and are compiled in the caller's module. There, the closure that wraps the user's builder
  // takes no memory if the builder captures nothing, and the type of a value's box is known.

  /// Replaces a builder.
  @usableFromInline
  func override(
    _ declaration: Declaration, build: @escaping (Pod, Declaration) throws -> StoredValue
  ) {
    install(Override(declaration, .sync(build)))
  }

  /// Replaces a builder by a value.
  @usableFromInline
  func override(_ declaration: Declaration, withValue value: StoredValue) {
    install(Override(declaration, .constant(value)))
  }

  func install(_ override: Override) { actingState.install(override) }
}

extension Pod {
  // MARK: - Removing overrides

  /// Removes this pod's override of a provider.
  ///
  /// Without an override, the call does nothing. The hidden original instances return. The pod disposes the override's
  /// instances and their dependents.
  ///
  /// - Complexity: O(instances, in the pod and its descendants, that have an overridden or a deferred dependency).
  /// - Parameter provider: The overridden provider.
  public func removeOverrideProvider(_ provider: some ProviderProtocol) {
    if let declaration = provider.id.declaration { actingState.removeOverrides(of: [declaration]) }
  }

  /// Removes this pod's override of a family, but not the overrides of single members.
  ///
  /// - Parameter family: The overridden family.
  public func removeOverrideProvider<Member, each Argument>(_ family: ProviderFamily<Member, repeat each Argument>) {
    actingState.removeOverrides(of: [family.family])
  }

  /// Removes every override of this pod.
  ///
  /// The originals that the overrides hid return. The instances that the overrides built are disposed, with their dependents.
  ///
  /// - Complexity: O(overrides + instances, in the pod and its descendants, that have an overridden or a deferred dependency).
  public func removeAllOverrides() {
    let state = actingState
    state.removeOverrides(of: state.withLock { _ in state.overrides.elements }.map(\.target), isThorough: true)
  }
}
