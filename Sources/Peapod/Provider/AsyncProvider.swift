/// Describes how an instance is built by asynchronous code.
///
/// However many tasks ask, it is built once. A task that is cancelled while it waits gets `CancellationError` at once; the
/// build goes on for the others, and is cancelled when no one waits any longer.
/// ```swift
/// let databaseProvider = AsyncProvider { _ in try await Database.open() } onDispose: { await $0.close() }
/// let database = try await pod.resolve(databaseProvider)
/// ```
/// The builder may depend on providers of every kind, and may be isolated: `{ @MainActor pod in … }`.
public struct AsyncProvider<Value: Sendable>: Sendable {
  let declaration: Declaration

  init(declaration: Declaration) { self.declaration = declaration }

  /// Declares a provider.
  ///
  /// - Parameters:
  ///   - name: A name for messages and drawings; the type of the value if there is none.
  ///   - scope: How long an instance is kept: until the pod is disposed, if none is given.
  ///   - fileID: The file of the declaration.
  ///   - line: The line of the declaration.
  ///   - build: Makes an instance or throws. Task-local values of the first caller are visible in it.
  ///   - onDispose: Called once with each instance that a pod built and stops keeping; ``Pod/shutdown()`` waits for it.
  public init(
    _ name: String? = nil, scope: some ProviderScope = SingletonScope(), fileID: StaticString = #fileID,
    line: UInt = #line, _ build: @escaping @Sendable (Pod) async throws -> Value,
    onDispose: (@Sendable (Value) async -> Void)? = nil
  ) {
    declaration = AsyncDeclaration(
      name, scope: .of(scope), fileID: fileID, line: line, disposal: .async(onDispose), build: build)
  }
}

extension AsyncProvider: ProviderProtocol {
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

extension AsyncProvider {
  /// Declares a family: a provider for each distinct set of arguments.
  ///
  /// ```swift
  /// let userProvider = AsyncProvider.family { (pod, id: Int) in try await User.load(id) }
  /// let user = try await pod.resolve(userProvider(7))
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
    line: UInt = #line, _ build: @escaping @Sendable (Pod, repeat each Argument) async throws -> Value,
    onDispose: (@Sendable (Value) async -> Void)? = nil
  ) -> ProviderFamily<Self, repeat each Argument> {
    let scope = NamedScope.of(scope)
    let disposal = DisposalClosure.async(onDispose)
    return ProviderFamily(
      hashed: name, kind: .async, scope: scope, fileID: fileID, line: line, valueType: Value.self
    ) { family, arguments in
      AsyncDeclaration<Value>(
        name, scope: scope, fileID: fileID, line: line, disposal: disposal, family: family, arguments: arguments,
        build: { pod in try await build(pod, repeat each arguments.values) })
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
    _ build: @escaping @Sendable (Pod, repeat each Argument) async throws -> Value
  ) -> ProviderFamily<Self, repeat each Argument> {
    ProviderFamily(
      hashed: name, kind: .async, scope: .alwaysCreateNew, fileID: fileID, line: line, valueType: Value.self
    ) { family, arguments in
      AsyncDeclaration<Value>(
        name, scope: .alwaysCreateNew, fileID: fileID, line: line, disposal: .none, family: family,
        arguments: arguments, build: { pod in try await build(pod, repeat each arguments.values) })
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
    _ build: @escaping @Sendable (Pod, repeat each Argument) async throws -> Value
  ) -> ProviderFamily<Self, repeat each Argument> {
    ProviderFamily(unhashed: name, kind: .async, fileID: fileID, line: line, valueType: Value.self) {
      family, arguments in
      AsyncDeclaration<Value>(
        name, scope: .alwaysCreateNew, fileID: fileID, line: line, disposal: .none, family: family,
        arguments: arguments, build: { pod in try await build(pod, repeat each arguments.values) })
    } member: {
      Self(declaration: $0)
    }
  }
}
