/// Describes how an instance is built and how long it is kept.
///
/// Declare one beside the type that it builds, and ask a pod for it:
/// ```swift
/// let clockProvider = Provider<any Clock> { _ in SystemClock() }
/// let reportProvider = Provider { pod in Report(clock: pod.resolve(clockProvider)) }
///
/// let report = pod.resolve(reportProvider)
/// ```
/// Nothing is registered: what can be named can be built. Leave the type of the constant to the compiler: then two
/// providers that build each other are refused as a circular reference. Where a `lazy` or a `factory` makes the loop
/// legal, write the type at one of them, which marks the place: `let a: Provider<any A> = …`.
///
/// - Note: In a module whose default isolation is the main actor, declare providers of values that are used elsewhere as
///   `nonisolated let`.
public struct Provider<Value>: Sendable {
  @usableFromInline let declaration: Declaration

  init(declaration: Declaration) { self.declaration = declaration }

  /// Declares a provider whose instances are kept.
  ///
  /// - Parameters:
  ///   - name: A name for messages and drawings; the type of the value if there is none.
  ///   - scope: How long an instance is kept: until the pod is disposed, if none is given.
  ///   - fileID: The file of the declaration.
  ///   - line: The line of the declaration.
  ///   - build: Makes an instance. It may use the pod that it is given, or any other, and may be called on any thread.
  ///   - onDispose: Called once with each instance that a pod built and stops keeping.
  public init(
    _ name: String? = nil, scope: some ProviderScope = SingletonScope(), fileID: StaticString = #fileID,
    line: UInt = #line, _ build: @escaping @Sendable (Pod) -> Value, onDispose: (@Sendable (Value) -> Void)? = nil
  ) where Value: Sendable {
    declaration = SyncDeclaration(
      name, kind: .sync, scope: .of(scope), fileID: fileID, line: line, disposal: .sync(onDispose), build: build)
  }

  /// Declares a provider that builds at each resolve.
  ///
  /// The value need not be `Sendable`.
  ///
  /// - Parameters:
  ///   - name: A name for messages and drawings; the type of the value if there is none.
  ///   - scope: The scope that keeps nothing.
  ///   - fileID: The file of the declaration.
  ///   - line: The line of the declaration.
  ///   - build: Makes an instance and gives it away.
  public init(
    _ name: String? = nil, scope: AlwaysCreateNewScope, fileID: StaticString = #fileID, line: UInt = #line,
    _ build: @escaping @Sendable (Pod) -> sending Value
  ) {
    declaration = SyncDeclaration<Value>(
      name, kind: .sync, scope: .alwaysCreateNew, fileID: fileID, line: line, disposal: .none, build: { build($0) })
  }
}

extension Provider: ProviderProtocol {
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

extension Provider {
  /// Declares a family: a provider for each distinct set of arguments.
  ///
  /// ```swift
  /// let userProvider = Provider.family { (pod, id: Int) in User(id, api: pod.resolve(apiProvider)) }
  /// let user = pod.resolve(userProvider(7))
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
    line: UInt = #line, _ build: @escaping @Sendable (Pod, repeat each Argument) -> Value,
    onDispose: (@Sendable (Value) -> Void)? = nil
  ) -> ProviderFamily<Self, repeat each Argument> where Value: Sendable {
    let scope = NamedScope.of(scope)
    let disposal = DisposalClosure.sync(onDispose)
    return ProviderFamily(
      hashed: name, kind: .sync, scope: scope, fileID: fileID, line: line, valueType: Value.self
    ) { family, arguments in
      SyncDeclaration<Value>(
        name, kind: .sync, scope: scope, fileID: fileID, line: line, disposal: disposal, family: family, arguments: arguments,
        build: { pod in build(pod, repeat each arguments.values) })
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
    _ build: @escaping @Sendable (Pod, repeat each Argument) -> sending Value
  ) -> ProviderFamily<Self, repeat each Argument> {
    ProviderFamily(
      hashed: name, kind: .sync, scope: .alwaysCreateNew, fileID: fileID, line: line, valueType: Value.self
    ) { family, arguments in
      SyncDeclaration<Value>(
        name, kind: .sync, scope: .alwaysCreateNew, fileID: fileID, line: line, disposal: .none, family: family,
        arguments: arguments, build: { pod in build(pod, repeat each arguments.values) })
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
    _ build: @escaping @Sendable (Pod, repeat each Argument) -> sending Value
  ) -> ProviderFamily<Self, repeat each Argument> {
    ProviderFamily(unhashed: name, kind: .sync, fileID: fileID, line: line, valueType: Value.self) {
      family, arguments in
      SyncDeclaration<Value>(
        name, kind: .sync, scope: .alwaysCreateNew, fileID: fileID, line: line, disposal: .none, family: family,
        arguments: arguments, build: { pod in build(pod, repeat each arguments.values) })
    } member: {
      Self(declaration: $0)
    }
  }
}
