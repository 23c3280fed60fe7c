/// Describes how an instance is built by code that may throw.
///
/// The error of a failed build goes to everyone who waited for that attempt and is not kept: the next resolve tries again.
/// ```swift
/// let settingsProvider = ThrowingProvider { _ in try Settings(path: "settings.json") }
/// let settings = try pod.resolve(settingsProvider)
/// ```
public struct ThrowingProvider<Value: Sendable>: Sendable {
  @usableFromInline let declaration: Declaration

  init(declaration: Declaration) { self.declaration = declaration }

  /// Declares a provider.
  ///
  /// - Parameters:
  ///   - name: A name for messages and drawings; the type of the value if there is none.
  ///   - scope: How long an instance is kept: until the pod is disposed, if none is given.
  ///   - fileID: The file of the declaration.
  ///   - line: The line of the declaration.
  ///   - build: Makes an instance or throws. It may be called on any thread.
  ///   - onDispose: Called once with each instance that a pod built and stops keeping.
  public init(
    _ name: String? = nil, scope: some ProviderScope = SingletonScope(), fileID: StaticString = #fileID,
    line: UInt = #line, _ build: @escaping @Sendable (Pod) throws -> Value,
    onDispose: (@Sendable (Value) -> Void)? = nil
  ) {
    declaration = SyncDeclaration(
      name, kind: .throwing, scope: .of(scope), fileID: fileID, line: line, disposal: .sync(onDispose), build: build)
  }
}

extension ThrowingProvider: ProviderProtocol {
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

extension ThrowingProvider {
  /// Declares a family: a provider for each distinct set of arguments.
  ///
  /// ```swift
  /// let userProvider = ThrowingProvider.family { (pod, id: Int) in try User(id, store: pod.resolve(storeProvider)) }
  /// let user = try pod.resolve(userProvider(7))
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
    line: UInt = #line, _ build: @escaping @Sendable (Pod, repeat each Argument) throws -> Value,
    onDispose: (@Sendable (Value) -> Void)? = nil
  ) -> ProviderFamily<Self, repeat each Argument> {
    let scope = NamedScope.of(scope)
    let disposal = DisposalClosure.sync(onDispose)
    return ProviderFamily(
      hashed: name, kind: .throwing, scope: scope, fileID: fileID, line: line, valueType: Value.self
    ) { family, arguments in
      SyncDeclaration<Value>(
        name, kind: .throwing, scope: scope, fileID: fileID, line: line, disposal: disposal, family: family,
        arguments: arguments,
        build: { pod in try build(pod, repeat each arguments.values) })
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
    _ build: @escaping @Sendable (Pod, repeat each Argument) throws -> Value
  ) -> ProviderFamily<Self, repeat each Argument> {
    ProviderFamily(
      hashed: name, kind: .throwing, scope: .alwaysCreateNew, fileID: fileID, line: line, valueType: Value.self
    ) { family, arguments in
      SyncDeclaration<Value>(
        name, kind: .throwing, scope: .alwaysCreateNew, fileID: fileID, line: line, disposal: .none, family: family,
        arguments: arguments, build: { pod in try build(pod, repeat each arguments.values) })
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
    _ build: @escaping @Sendable (Pod, repeat each Argument) throws -> Value
  ) -> ProviderFamily<Self, repeat each Argument> {
    ProviderFamily(unhashed: name, kind: .throwing, fileID: fileID, line: line, valueType: Value.self) {
      family, arguments in
      SyncDeclaration<Value>(
        name, kind: .throwing, scope: .alwaysCreateNew, fileID: fileID, line: line, disposal: .none, family: family,
        arguments: arguments, build: { pod in try build(pod, repeat each arguments.values) })
    } member: {
      Self(declaration: $0)
    }
  }
}
