extension Pod {
  // MARK: - Overriding families

  /// Replaces the builder of every member of a family in this pod and its descendants.
  ///
  /// In the same pod, an override of a single member takes precedence over an override of the family.
  ///
  /// - Parameters:
  ///   - family: The family to override. Its scope does not change.
  ///   - build: The builder of a member.
  public func overrideProvider<Value, each Argument>(
    _ family: ProviderFamily<Provider<Value>, repeat each Argument>,
    with build: @escaping @Sendable (Pod, repeat each Argument) -> sending Value
  ) {
    install(
      Override(
        family.family,
        .sync { pod, member in
          .storing(build(pod, repeat each family.arguments(of: member).values), isReference: member.isReference)
        }))
  }

  /// Replaces the builder of every member of a throwing family in this pod and its descendants.
  ///
  /// - Parameters:
  ///   - family: The family to override. Its scope does not change.
  ///   - build: The builder of a member. It may throw.
  public func overrideProvider<Value, each Argument>(
    _ family: ProviderFamily<ThrowingProvider<Value>, repeat each Argument>,
    with build: @escaping @Sendable (Pod, repeat each Argument) throws -> Value
  ) {
    install(
      Override(
        family.family,
        .sync { pod, member in
          .storing(try build(pod, repeat each family.arguments(of: member).values), isReference: member.isReference)
        }))
  }

  /// Replaces the builder of every member of an async family in this pod and its descendants.
  ///
  /// - Parameters:
  ///   - family: The family to override. Its scope does not change.
  ///   - build: The builder of a member. It may throw.
  public func overrideProvider<Value, each Argument>(
    _ family: ProviderFamily<AsyncProvider<Value>, repeat each Argument>,
    with build: @escaping @Sendable (Pod, repeat each Argument) async throws -> Value
  ) {
    install(
      Override(
        family.family,
        .async { pod, member in
          .storing(
            try await build(pod, repeat each family.arguments(of: member).values), isReference: member.isReference)
        }))
  }

  /// Replaces the builder of every member of a main-actor family in this pod and its descendants.
  ///
  /// - Parameters:
  ///   - family: The family to override. Its scope does not change.
  ///   - build: The builder of a member, on the main actor.
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
      Override(
        family.family,
        .sync { pod, member in
          .storing(build(pod, family.arguments(of: member)), isReference: member.isReference)
        }))
  }
}

extension ProviderFamily {
  /// The arguments of a member.
  func arguments(of member: Declaration) -> TypedArguments<repeat each Argument> {
    // Safe: the overrides of this family build only its members, and all members have arguments of its types.
    unsafeDowncast(
      member.details.unsafelyUnwrapped.arguments.unsafelyUnwrapped, to: TypedArguments<repeat each Argument>.self)
  }
}
