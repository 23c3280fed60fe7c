extension Pod {
  // MARK: - Overriding

  /// Replaces the builder of a provider in this pod and the pods below.
  ///
  /// From now on every resolve answers as though the override had always been there: what was built from the provider is
  /// set aside and built again when it is asked for. An override whose builder resolves the provider that it overrides
  /// gets what the provider would have been without it.
  ///
  /// - Complexity: O(instances that were built from the provider).
  /// - Parameters:
  ///   - provider: What to replace. Its scope stays.
  ///   - build: Makes the instance instead.
  @inlinable
  public func overrideProvider<Value>(
    _ provider: Provider<Value>, with build: @escaping @Sendable (Pod) -> sending Value
  ) {
    override(provider.declaration) { pod, _, memory in Memory.put(build(pod), into: memory) }
  }

  /// Replaces the builder and the scope of a provider in this pod and the pods below.
  ///
  /// - Parameters:
  ///   - provider: What to replace.
  ///   - scope: How long an instance of the override is kept.
  ///   - build: Makes the instance instead.
  public func overrideProvider<Value: Sendable>(
    _ provider: Provider<Value>, scope: some ProviderScope, with build: @escaping @Sendable (Pod) -> Value
  ) {
    install(
      SyncOverride(provider.declaration, scope: .of(scope)) { pod, _, memory in Memory.put(build(pod), into: memory) })
  }

  /// Replaces what a provider gives in this pod and the pods below.
  ///
  /// - Parameters:
  ///   - provider: What to replace.
  ///   - value: What every resolve gives. It is not disposed: the pod did not build it.
  public func overrideProvider<Value: Sendable>(_ provider: Provider<Value>, withValue value: Value) {
    install(GivenOverride(provider.declaration, value: value))
  }

  /// Replaces the builder of a throwing provider in this pod and the pods below.
  ///
  /// - Parameters:
  ///   - provider: What to replace. Its scope stays.
  ///   - build: Makes the instance instead, or throws.
  @inlinable
  public func overrideProvider<Value>(
    _ provider: ThrowingProvider<Value>, with build: @escaping @Sendable (Pod) throws -> Value
  ) {
    override(provider.declaration) { pod, _, memory in Memory.put(try build(pod), into: memory) }
  }

  /// Replaces the builder and the scope of a throwing provider in this pod and the pods below.
  ///
  /// - Parameters:
  ///   - provider: What to replace.
  ///   - scope: How long an instance of the override is kept.
  ///   - build: Makes the instance instead, or throws.
  public func overrideProvider<Value>(
    _ provider: ThrowingProvider<Value>, scope: some ProviderScope,
    with build: @escaping @Sendable (Pod) throws -> Value
  ) {
    install(
      SyncOverride(provider.declaration, scope: .of(scope)) { pod, _, memory in
        Memory.put(try build(pod), into: memory)
      })
  }

  /// Replaces what a throwing provider gives in this pod and the pods below.
  ///
  /// - Parameters:
  ///   - provider: What to replace.
  ///   - value: What every resolve gives. It is not disposed: the pod did not build it.
  public func overrideProvider<Value>(_ provider: ThrowingProvider<Value>, withValue value: Value) {
    install(GivenOverride(provider.declaration, value: value))
  }

  /// Replaces the builder of an asynchronous provider in this pod and the pods below.
  ///
  /// - Parameters:
  ///   - provider: What to replace. Its scope stays.
  ///   - build: Makes the instance instead, or throws.
  public func overrideProvider<Value>(
    _ provider: AsyncProvider<Value>, with build: @escaping @Sendable (Pod) async throws -> Value
  ) {
    install(AsyncOverride<Value>(provider.declaration) { pod, _ in try await build(pod) })
  }

  /// Replaces the builder and the scope of an asynchronous provider in this pod and the pods below.
  ///
  /// - Parameters:
  ///   - provider: What to replace.
  ///   - scope: How long an instance of the override is kept.
  ///   - build: Makes the instance instead, or throws.
  public func overrideProvider<Value>(
    _ provider: AsyncProvider<Value>, scope: some ProviderScope,
    with build: @escaping @Sendable (Pod) async throws -> Value
  ) {
    install(AsyncOverride<Value>(provider.declaration, scope: .of(scope)) { pod, _ in try await build(pod) })
  }

  /// Replaces what an asynchronous provider gives in this pod and the pods below.
  ///
  /// - Parameters:
  ///   - provider: What to replace.
  ///   - value: What every resolve gives. It is not disposed: the pod did not build it.
  public func overrideProvider<Value>(_ provider: AsyncProvider<Value>, withValue value: Value) {
    install(GivenOverride(provider.declaration, value: value))
  }

  /// Replaces the builder of a main-actor provider in this pod and the pods below.
  ///
  /// - Parameters:
  ///   - provider: What to replace. Its scope stays.
  ///   - build: Makes the instance instead, on the main actor.
  public func overrideProvider<Value>(
    _ provider: MainActorProvider<Value>, with build: @escaping @MainActor (Pod) -> Value
  ) {
    let build = onMainActor(build)
    install(SyncOverride(provider.declaration) { pod, _, memory in Memory.put(build(pod), into: memory) })
  }

  /// Replaces the builder and the scope of a main-actor provider in this pod and the pods below.
  ///
  /// - Parameters:
  ///   - provider: What to replace.
  ///   - scope: How long an instance of the override is kept.
  ///   - build: Makes the instance instead, on the main actor.
  public func overrideProvider<Value>(
    _ provider: MainActorProvider<Value>, scope: some ProviderScope, with build: @escaping @MainActor (Pod) -> Value
  ) {
    let build = onMainActor(build)
    install(
      SyncOverride(provider.declaration, scope: .of(scope)) { pod, _, memory in Memory.put(build(pod), into: memory) })
  }

  /// Replaces what a main-actor provider gives in this pod and the pods below.
  ///
  /// - Parameters:
  ///   - provider: What to replace.
  ///   - value: What every resolve gives. It is not disposed: the pod did not build it.
  @MainActor
  public func overrideProvider<Value>(_ provider: MainActorProvider<Value>, withValue value: Value) {
    install(GivenOverride(provider.declaration, value: value))
  }

  /// Replaces a builder; for the generic functions above, which are compiled in the caller's module.
  ///
  /// There the closure that they make of the user's takes no memory if that one captures nothing.
  @usableFromInline
  func override(
    _ declaration: Declaration, build: @escaping (Pod, Declaration, UnsafeMutableRawPointer) throws -> Void
  ) {
    install(SyncOverride(declaration, build: build))
  }

  private func install(_ override: consuming Override) {
    let new = Override.Pointer(retaining: override)
    if isOwner, !TaskContext.isActive, let layer {
      let isDone = Engine.lockedBriefly {
        guard layer.depth > 0 else { return layer.overrideUnbuilt(new) }
        guard layer.overrideFirst(new) else { return false }
        forgetDirectory()
        return true
      }
      if isDone { return }
    }
    Engine.locked { actingLayer(&$0).override(new, &$0) }
  }
}

extension Pod {
  // MARK: - Overriding families

  /// Replaces the builder of every member of a family in this pod and the pods below.
  ///
  /// An override of a single member wins over this one in the same pod.
  ///
  /// - Parameters:
  ///   - family: What to replace. Its scope stays.
  ///   - build: Makes the instance of a member instead.
  public func overrideProvider<Value, each Argument>(
    _ family: ProviderFamily<Provider<Value>, repeat each Argument>,
    with build: @escaping @Sendable (Pod, repeat each Argument) -> sending Value
  ) {
    install(
      SyncOverride(family.family) { pod, member, memory in
        Memory.put(build(pod, repeat each family.arguments(of: member).values), into: memory)
      })
  }

  /// Replaces the builder of every member of a throwing family in this pod and the pods below.
  ///
  /// - Parameters:
  ///   - family: What to replace. Its scope stays.
  ///   - build: Makes the instance of a member instead, or throws.
  public func overrideProvider<Value, each Argument>(
    _ family: ProviderFamily<ThrowingProvider<Value>, repeat each Argument>,
    with build: @escaping @Sendable (Pod, repeat each Argument) throws -> Value
  ) {
    install(
      SyncOverride(family.family) { pod, member, memory in
        Memory.put(try build(pod, repeat each family.arguments(of: member).values), into: memory)
      })
  }

  /// Replaces the builder of every member of an asynchronous family in this pod and the pods below.
  ///
  /// - Parameters:
  ///   - family: What to replace. Its scope stays.
  ///   - build: Makes the instance of a member instead, or throws.
  public func overrideProvider<Value, each Argument>(
    _ family: ProviderFamily<AsyncProvider<Value>, repeat each Argument>,
    with build: @escaping @Sendable (Pod, repeat each Argument) async throws -> Value
  ) {
    install(
      AsyncOverride<Value>(family.family) { pod, member in
        try await build(pod, repeat each family.arguments(of: member).values)
      })
  }

  /// Replaces the builder of every member of a main-actor family in this pod and the pods below.
  ///
  /// - Parameters:
  ///   - family: What to replace. Its scope stays.
  ///   - build: Makes the instance of a member instead, on the main actor.
  public func overrideProvider<Value, each Argument>(
    _ family: ProviderFamily<MainActorProvider<Value>, repeat each Argument>,
    with build: @escaping @MainActor (Pod, repeat each Argument) -> Value
  ) {
    let onMain: @MainActor (Pod, TypedArguments<repeat each Argument>) -> Value = { pod, arguments in
      build(pod, repeat each arguments.values)
    }
    // Safe: as for every main-actor builder, see `onMainActor`.
    let build = unsafeBitCast(onMain, to: ((Pod, TypedArguments<repeat each Argument>) -> Value).self)
    install(
      SyncOverride(family.family) { pod, member, memory in
        Memory.put(build(pod, family.arguments(of: member)), into: memory)
      })
  }

  // MARK: - Removing overrides

  /// Takes back this pod's override of a provider; does nothing if there is none.
  ///
  /// The instances that the override set aside come back, the very same ones. What was built from the override is
  /// disposed.
  ///
  /// - Parameter provider: What was overridden.
  public func removeOverrideProvider(_ provider: some ProviderProtocol) {
    if let declaration = provider.id.declaration { removeOverride(of: declaration) }
  }

  /// Takes back this pod's override of a family; those of single members stay.
  ///
  /// - Parameter family: What was overridden.
  public func removeOverrideProvider<Member, each Argument>(_ family: ProviderFamily<Member, repeat each Argument>) {
    removeOverride(of: family.family)
  }

  /// Takes back all of this pod's overrides.
  public func removeAllOverrides() {
    Engine.locked { aftermath in
      let layer = actingLayer(&aftermath)
      layer.removeOverrides(of: layer.overrides.values.map { $0.object.target }, isThorough: true, &aftermath)
    }
  }

  private func removeOverride(of target: Declaration) {
    Engine.locked { actingLayer(&$0).removeOverride(of: target, &$0) }
  }
}

extension ProviderFamily {
  /// The arguments of a member.
  func arguments(of member: Declaration) -> TypedArguments<repeat each Argument> {
    // Safe: only members of this family are built by its overrides, and all of those have arguments of its types.
    unsafeDowncast(
      member.details.unsafelyUnwrapped.arguments.unsafelyUnwrapped, to: TypedArguments<repeat each Argument>.self)
  }
}
