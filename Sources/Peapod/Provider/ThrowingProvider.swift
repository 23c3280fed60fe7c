/// A constant that contains a builder that may throw, and the scope of its instances.
///
/// If the builder throws, every caller that waited for this build receives the error. The pod does not cache the error: the
/// next resolve builds again.
/// ```swift
/// let settingsProvider = ThrowingProvider { _ in try Settings(path: "settings.json") }
/// let settings = try pod.resolve(settingsProvider)
/// ```
public struct ThrowingProvider<Value: Sendable>: Sendable {
  @usableFromInline let declaration: Declaration

  init(declaration: Declaration) { self.declaration = declaration }

  /// Declares a provider whose instances a pod caches.
  ///
  /// - Parameters:
  ///   - name: The name for messages and diagrams. The default is the value type.
  ///   - scope: The scope of the instances. The default is `.singleton`.
  ///   - fileID: The file of the declaration.
  ///   - line: The line of the declaration.
  ///   - build: The builder. It may run on any thread.
  ///   - onDispose: The disposal closure. It runs once for each instance that a pod built and no longer caches.
  public init(
    _ name: String? = nil, scope: some ProviderScope = SingletonScope(), fileID: StaticString = #fileID,
    line: UInt = #line, _ build: @escaping @Sendable (Pod) throws -> Value,
    onDispose: (@Sendable (Value) -> Void)? = nil
  ) {
    declaration = SyncDeclaration(
      .throwing, at: .init(fileID, line), .init(name, scope: .of(scope), disposal: .sync(onDispose)),
      build: build)
  }
}

extension ThrowingProvider: ProviderProtocol {
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

extension ThrowingProvider {
  /// Declares a family: a parameterized provider with one member for each distinct set of arguments.
  ///
  /// ```swift
  /// let userProvider = ThrowingProvider.family { (pod, id: Int) in try User(id, store: pod.resolve(storeProvider)) }
  /// let user = try pod.resolve(userProvider(7))
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
    line: UInt = #line, _ build: @escaping @Sendable (Pod, repeat each Argument) throws -> Value,
    onDispose: (@Sendable (Value) -> Void)? = nil
  ) -> ProviderFamily<Self, repeat each Argument> {
    let scope = NamedScope.of(scope)
    let disposal = DisposalClosure.sync(onDispose)
    return ProviderFamily(
      hashed: name, kind: .throwing, scope: scope, fileID: fileID, line: line, valueType: Value.self
    ) { family, arguments in
      SyncDeclaration<Value>(
        .throwing, at: .init(fileID, line),
        .init(name, scope: scope, disposal: disposal, family: family, arguments: arguments),
        build: { pod in try build(pod, repeat each arguments.values) })
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
    _ build: @escaping @Sendable (Pod, repeat each Argument) throws -> Value
  ) -> ProviderFamily<Self, repeat each Argument> {
    ProviderFamily(
      hashed: name, kind: .throwing, scope: .alwaysCreateNew, fileID: fileID, line: line, valueType: Value.self
    ) { family, arguments in
      SyncDeclaration<Value>(
        .throwing, at: .init(fileID, line), .init(name, scope: .alwaysCreateNew, family: family, arguments: arguments),
        build: { pod in try build(pod, repeat each arguments.values) })
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
    _ build: @escaping @Sendable (Pod, repeat each Argument) throws -> Value
  ) -> ProviderFamily<Self, repeat each Argument> {
    ProviderFamily(unhashed: name, kind: .throwing, fileID: fileID, line: line, valueType: Value.self) {
      family, arguments in
      SyncDeclaration<Value>(
        .throwing, at: .init(fileID, line), .init(name, scope: .alwaysCreateNew, family: family, arguments: arguments),
        build: { pod in try build(pod, repeat each arguments.values) })
    } member: {
      Self(declaration: $0)
    }
  }
}
