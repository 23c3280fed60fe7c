/// Describes how an instance that lives on the main actor is built: a view model, a coordinator, a window.
///
/// It is resolved, built, disposed and let go on the main actor, so its value need not be `Sendable`.
/// ```swift
/// let modelProvider = MainActorProvider { pod in ListModel(api: pod.resolve(apiProvider)) }
/// ```
public struct MainActorProvider<Value>: Sendable {
  @usableFromInline let declaration: Declaration

  init(declaration: Declaration) { self.declaration = declaration }

  /// Declares a provider.
  ///
  /// - Parameters:
  ///   - name: A name for messages and drawings; the type of the value if there is none.
  ///   - scope: How long an instance is kept: until the pod is disposed, if none is given.
  ///   - fileID: The file of the declaration.
  ///   - line: The line of the declaration.
  ///   - build: Makes an instance, on the main actor.
  ///   - onDispose: Called on the main actor, once with each instance that a pod built and stops keeping.
  public init(
    _ name: String? = nil, scope: some ProviderScope = SingletonScope(), fileID: StaticString = #fileID,
    line: UInt = #line, _ build: @escaping @MainActor (Pod) -> Value,
    onDispose: (@MainActor (Value) -> Void)? = nil
  ) {
    declaration = SyncDeclaration<Value>(
      name, kind: .mainActor, scope: .of(scope), fileID: fileID, line: line, disposal: .mainActor(onDispose),
      build: onMainActor(build))
  }
}

extension MainActorProvider: ProviderProtocol {
  /// The identity of the provider.
  ///
  /// Cost: no allocation.
  public var id: ProviderID { ProviderID(declaration, isBound: true) }

  /// The name, or else the type of the value, and the place of the declaration.
  public var description: String { declaration.description }

  /// Whether the two are one declaration, or members of one family with equal arguments.
  public static func == (left: Self, right: Self) -> Bool { left.declaration === right.declaration }

  /// Hashes the identity.
  public func hash(into hasher: inout Hasher) { id.hash(into: &hasher) }
}

// MARK: - Families

extension MainActorProvider {
  /// Declares a family: a provider for each distinct set of arguments.
  ///
  /// ```swift
  /// let userProvider = MainActorProvider.family { (pod, id: Int) in UserModel(id, api: pod.resolve(apiProvider)) }
  /// let model = pod.resolve(userProvider(7))
  /// ```
  /// Equal arguments name one provider, so one instance. `==` and `hash(into:)` of arguments may be called on any thread.
  ///
  /// - Parameters:
  ///   - name: A name for messages and drawings; the type of the value if there is none.
  ///   - scope: How long an instance is kept: until the pod is disposed, if none is given.
  ///   - fileID: The file of the declaration.
  ///   - line: The line of the declaration.
  ///   - build: Makes the instance of a member from its arguments.
  ///   - onDispose: Called once with each instance that a pod built and stops keeping.
  /// - Returns: The family, to be called with arguments.
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
        name, kind: .mainActor, scope: scope, fileID: fileID, line: line, disposal: disposal, family: family,
        arguments: arguments,
        build: onMainActor { pod in build(pod, repeat each arguments.values) })
    } member: {
      Self(declaration: $0)
    }
  }

  /// Declares a family whose members build at each resolve.
  ///
  /// Equal arguments name one provider.
  ///
  /// - Parameters:
  ///   - name: A name for messages and drawings; the type of the value if there is none.
  ///   - scope: The scope that keeps nothing.
  ///   - fileID: The file of the declaration.
  ///   - line: The line of the declaration.
  ///   - build: Makes an instance from the arguments.
  /// - Returns: The family, to be called with arguments.
  public static func family<each Argument: Hashable & Sendable>(
    _ name: String? = nil, scope: AlwaysCreateNewScope, fileID: StaticString = #fileID, line: UInt = #line,
    _ build: @escaping @MainActor (Pod, repeat each Argument) -> Value
  ) -> ProviderFamily<Self, repeat each Argument> {
    ProviderFamily(
      hashed: name, kind: .mainActor, scope: .alwaysCreateNew, fileID: fileID, line: line, valueType: Value.self
    ) { family, arguments in
      SyncDeclaration<Value>(
        name, kind: .mainActor, scope: .alwaysCreateNew, fileID: fileID, line: line, disposal: .none, family: family,
        arguments: arguments, build: onMainActor { pod in build(pod, repeat each arguments.values) })
    } member: {
      Self(declaration: $0)
    }
  }

  /// Declares a family whose members build at each resolve.
  ///
  /// Arguments need not be `Hashable`.
  ///
  /// - Parameters:
  ///   - name: A name for messages and drawings; the type of the value if there is none.
  ///   - scope: The scope that keeps nothing.
  ///   - fileID: The file of the declaration.
  ///   - line: The line of the declaration.
  ///   - build: Makes an instance from the arguments.
  /// - Returns: The family, to be called with arguments. Each call names a provider of its own.
  @_disfavoredOverload
  public static func family<each Argument: Sendable>(
    _ name: String? = nil, scope: AlwaysCreateNewScope, fileID: StaticString = #fileID, line: UInt = #line,
    _ build: @escaping @MainActor (Pod, repeat each Argument) -> Value
  ) -> ProviderFamily<Self, repeat each Argument> {
    ProviderFamily(unhashed: name, kind: .mainActor, fileID: fileID, line: line, valueType: Value.self) {
      family, arguments in
      SyncDeclaration<Value>(
        name, kind: .mainActor, scope: .alwaysCreateNew, fileID: fileID, line: line, disposal: .none, family: family,
        arguments: arguments, build: onMainActor { pod in build(pod, repeat each arguments.values) })
    } member: {
      Self(declaration: $0)
    }
  }
}
