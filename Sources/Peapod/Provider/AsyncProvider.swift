/// A constant that contains an asynchronous builder and the scope of its instances.
///
/// The pod builds the instance once, however many tasks resolve the provider. A canceled task that waits receives
/// `CancellationError` at once, and the build continues for the other tasks. Peapod cancels a build that no caller waits for
/// any longer. The next resolve begins another build, which may run beside the canceled one.
/// ```swift
/// let databaseProvider = AsyncProvider { _ in try await Database.open() } onDispose: { await $0.close() }
/// let database = try await pod.resolve(databaseProvider)
/// ```
/// The builder may resolve providers of every kind, and may be isolated: `{ @MainActor pod in … }`.
public struct AsyncProvider<Value: Sendable>: Sendable {
  @usableFromInline let declaration: Declaration

  init(declaration: Declaration) { self.declaration = declaration }

  /// Declares a provider whose instances a pod caches.
  ///
  /// - Parameters:
  ///   - name: The name for messages and diagrams. The default is the value type.
  ///   - scope: The scope of the instances. The default is `.singleton`.
  ///   - fileID: The file of the declaration.
  ///   - line: The line of the declaration.
  ///   - build: The builder. It runs with the task-local values of the first caller.
  ///   - onDispose: The disposal closure. It runs once for each instance that a pod built and no longer caches.
  ///     It runs in a task of its own, which is not canceled. ``Pod/shutdown()`` waits for it.
  public init(
    _ name: String? = nil, scope: some ProviderScope = SingletonScope(), fileID: StaticString = #fileID,
    line: UInt = #line, _ build: @escaping @Sendable (Pod) async throws -> Value,
    onDispose: (@Sendable (Value) async -> Void)? = nil
  ) {
    declaration = AsyncDeclaration(
      at: .init(fileID, line), .init(name, scope: .of(scope), disposal: .async(onDispose)),
      build: build)
  }
}

extension AsyncProvider: ProviderProtocol {
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

extension AsyncProvider {
  /// Declares a family: a parameterized provider with one member for each distinct set of arguments.
  ///
  /// ```swift
  /// let userProvider = AsyncProvider.family { (pod, id: Int) in try await User.load(id) }
  /// let user = try await pod.resolve(userProvider(7))
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
    line: UInt = #line, _ build: @escaping @Sendable (Pod, repeat each Argument) async throws -> Value,
    onDispose: (@Sendable (Value) async -> Void)? = nil
  ) -> ProviderFamily<Self, repeat each Argument> {
    let scope = NamedScope.of(scope)
    let disposal = DisposalClosure.async(onDispose)
    return ProviderFamily(
      hashed: name, kind: .async, scope: scope, fileID: fileID, line: line, valueType: Value.self
    ) { family, arguments in
      AsyncDeclaration<Value>(
        at: .init(fileID, line), .init(name, scope: scope, disposal: disposal, family: family, arguments: arguments),
        build: { pod in try await build(pod, repeat each arguments.values) })
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
    _ build: @escaping @Sendable (Pod, repeat each Argument) async throws -> Value
  ) -> ProviderFamily<Self, repeat each Argument> {
    ProviderFamily(
      hashed: name, kind: .async, scope: .alwaysCreateNew, fileID: fileID, line: line, valueType: Value.self
    ) { family, arguments in
      AsyncDeclaration<Value>(
        at: .init(fileID, line), .init(name, scope: .alwaysCreateNew, family: family, arguments: arguments),
        build: { pod in try await build(pod, repeat each arguments.values) })
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
    _ build: @escaping @Sendable (Pod, repeat each Argument) async throws -> Value
  ) -> ProviderFamily<Self, repeat each Argument> {
    ProviderFamily(unhashed: name, kind: .async, fileID: fileID, line: line, valueType: Value.self) {
      family, arguments in
      AsyncDeclaration<Value>(
        at: .init(fileID, line), .init(name, scope: .alwaysCreateNew, family: family, arguments: arguments),
        build: { pod in try await build(pod, repeat each arguments.values) })
    } member: {
      Self(declaration: $0)
    }
  }
}
