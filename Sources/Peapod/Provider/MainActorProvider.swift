/// A constant that contains a main-actor builder and the scope of its instances, such as models and coordinators.
///
/// The value is resolved, built, disposed and released on the main actor, so it need not be `Sendable`.
/// ```swift
/// let modelProvider = MainActorProvider { pod in ListModel(api: pod.resolve(apiProvider)) }
/// ```
public struct MainActorProvider<Value>: Sendable {
  @usableFromInline let declaration: Declaration

  init(declaration: Declaration) { self.declaration = declaration }

  /// Declares a provider whose instances a pod caches.
  ///
  /// - Parameters:
  ///   - name: The name for messages and diagrams. The default is the value type.
  ///   - scope: The scope of the instances. The default is `.singleton`.
  ///   - fileID: The file of the declaration.
  ///   - line: The line of the declaration.
  ///   - build: The builder, which runs on the main actor.
  ///   - onDispose: The disposal closure, which runs on the main actor. It runs once for each instance that a pod built and
  ///     no longer caches.
  public init(
    _ name: String? = nil, scope: some ProviderScope = SingletonScope(), fileID: StaticString = #fileID,
    line: UInt = #line, _ build: @escaping @MainActor (Pod) -> Value,
    onDispose: (@MainActor (Value) -> Void)? = nil
  ) {
    declaration = SyncDeclaration<Value>(
      .mainActor, at: .init(fileID, line), .init(name, scope: .of(scope), disposal: .mainActor(onDispose)),
      build: onMainActor(build))
  }
}

extension MainActorProvider: ProviderProtocol {
  /// The identity of the provider.
  ///
  /// - Complexity: O(1), without an allocation.
  public var id: ProviderID { ProviderID(declaration, isBound: true) }

  /// The name (by default the value type) and the place of the declaration.
  public var description: String { declaration.description }

  /// Returns whether two providers have the same declaration, or are members of one family with equal arguments.
  public static func == (left: Self, right: Self) -> Bool { left.declaration === right.declaration }

  /// Hashes the identity of the provider.
  public func hash(into hasher: inout Hasher) { id.hash(into: &hasher) }
}

// MARK: - Families

extension MainActorProvider {
  /// Declares a family: a parameterized provider with one member for each distinct set of arguments.
  ///
  /// ```swift
  /// let userProvider = MainActorProvider.family { (pod, id: Int) in UserModel(id, api: pod.resolve(apiProvider)) }
  /// let model = pod.resolve(userProvider(7))
  /// ```
  /// Equal arguments give the same member, so they share one instance. Peapod may call `==` and `hash(into:)` of arguments on
  /// any thread.
  ///
  /// - Parameters:
  ///   - name: The name for messages and diagrams. The default is the value type.
  ///   - scope: The scope of the instances. The default is `.singleton`.
  ///   - fileID: The file of the declaration.
  ///   - line: The line of the declaration.
  ///   - build: The builder of the members. It receives the pod and the arguments.
  ///   - onDispose: The disposal closure. It runs once for each instance that a pod built and no longer caches.
  /// - Returns: The family. Call it with arguments to get a member.
  public static func family<each Argument: Hashable & Sendable>(
    _ name: String? = nil, scope: some ProviderScope = SingletonScope(), fileID: StaticString = #fileID,
    line: UInt = #line, _ build: @escaping @MainActor (Pod, repeat each Argument) -> Value,
    onDispose: (@MainActor (Value) -> Void)? = nil
  ) -> ProviderFamily<Self, repeat each Argument> {
    let scope = NamedScope.of(scope)
    let disposal = DisposalClosure.mainActor(onDispose)
    return ProviderFamily(
      hashed: name, kind: .mainActor, scope: scope, fileID: fileID, line: line, valueType: Value.self
    ) { family, arguments in
      SyncDeclaration<Value>(
        .mainActor, at: .init(fileID, line),
        .init(name, scope: scope, disposal: disposal, family: family, arguments: arguments),
        build: onMainActor { pod in build(pod, repeat each arguments.values) })
    } member: {
      Self(declaration: $0)
    }
  }

  /// Declares a family of transient providers.
  ///
  /// Equal arguments give the same member.
  ///
  /// - Parameters:
  ///   - name: The name for messages and diagrams. The default is the value type.
  ///   - scope: The scope of transient providers.
  ///   - fileID: The file of the declaration.
  ///   - line: The line of the declaration.
  ///   - build: The builder of the members. It receives the pod and the arguments.
  /// - Returns: The family. Call it with arguments to get a member.
  public static func family<each Argument: Hashable & Sendable>(
    _ name: String? = nil, scope: AlwaysCreateNewScope, fileID: StaticString = #fileID, line: UInt = #line,
    _ build: @escaping @MainActor (Pod, repeat each Argument) -> Value
  ) -> ProviderFamily<Self, repeat each Argument> {
    ProviderFamily(
      hashed: name, kind: .mainActor, scope: .alwaysCreateNew, fileID: fileID, line: line, valueType: Value.self
    ) { family, arguments in
      SyncDeclaration<Value>(
        .mainActor, at: .init(fileID, line), .init(name, scope: .alwaysCreateNew, family: family, arguments: arguments),
        build: onMainActor { pod in build(pod, repeat each arguments.values) })
    } member: {
      Self(declaration: $0)
    }
  }

  /// Declares a family of transient providers whose arguments need not be `Hashable`.
  ///
  /// Each call of the family gives a new member. To override such members, override the family.
  ///
  /// - Parameters:
  ///   - name: The name for messages and diagrams. The default is the value type.
  ///   - scope: The scope of transient providers.
  ///   - fileID: The file of the declaration.
  ///   - line: The line of the declaration.
  ///   - build: The builder of the members. It receives the pod and the arguments.
  /// - Returns: The family. Each call with arguments gives a new member.
  @_disfavoredOverload
  public static func family<each Argument: Sendable>(
    _ name: String? = nil, scope: AlwaysCreateNewScope, fileID: StaticString = #fileID, line: UInt = #line,
    _ build: @escaping @MainActor (Pod, repeat each Argument) -> Value
  ) -> ProviderFamily<Self, repeat each Argument> {
    ProviderFamily(unhashed: name, kind: .mainActor, fileID: fileID, line: line, valueType: Value.self) {
      family, arguments in
      SyncDeclaration<Value>(
        .mainActor, at: .init(fileID, line), .init(name, scope: .alwaysCreateNew, family: family, arguments: arguments),
        build: onMainActor { pod in build(pod, repeat each arguments.values) })
    } member: {
      Self(declaration: $0)
    }
  }
}
