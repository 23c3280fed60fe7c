/// A constant that contains a builder and the scope of its instances.
///
/// Declare a provider beside the type that it builds, and resolve it from a pod:
/// ```swift
/// let storeProvider = Provider<any NoteStore> { _ in FileNoteStore() }
/// let reportProvider = Provider { pod in Report(store: pod.resolve(storeProvider)) }
///
/// let report = pod.resolve(reportProvider)
/// ```
/// Every provider contains its builder, so there is no registration to forget. Do not annotate the constant with its type.
/// Without the annotation, the compiler refuses providers whose builders name each other. Where ``Pod/lazy(_:)`` or a factory makes a
/// dependency cycle legal, annotate one constant of the cycle: `let a: Provider<any A> = …`. The annotation marks the cycle for
/// readers.
///
/// - Note: In a module that defaults to the main actor, declare a provider that is used off the main actor with
///   `nonisolated let`.
public struct Provider<Value>: Sendable {
  @usableFromInline let declaration: Declaration

  init(declaration: Declaration) { self.declaration = declaration }

  /// Declares a provider whose instances a pod caches.
  ///
  /// - Parameters:
  ///   - name: The name for messages and diagrams. The default is the value type.
  ///   - scope: The scope of the instances. The default is `.singleton`.
  ///   - fileID: The file of the declaration.
  ///   - line: The line of the declaration.
  ///   - build: The builder. It may run on any thread, and may resolve from its argument or from any other pod.
  ///   - onDispose: The disposal closure. It runs once for each instance that a pod built and no longer caches.
  ///     It runs on the thread that ends the instance, or that releases the last reference to a child pod.
  public init(
    _ name: String? = nil, scope: some ProviderScope = SingletonScope(), fileID: StaticString = #fileID,
    line: UInt = #line, _ build: @escaping @Sendable (Pod) -> Value, onDispose: (@Sendable (Value) -> Void)? = nil
  ) where Value: Sendable {
    declaration = SyncDeclaration(
      .sync, at: .init(fileID, line), .init(name, scope: .of(scope), disposal: .sync(onDispose)),
      build: build)
  }

  /// Declares a transient provider: each resolve builds a new instance.
  ///
  /// The value need not be `Sendable`, because the pod sends it to the caller.
  ///
  /// - Parameters:
  ///   - name: The name for messages and diagrams. The default is the value type.
  ///   - scope: The scope of transient providers.
  ///   - fileID: The file of the declaration.
  ///   - line: The line of the declaration.
  ///   - build: The builder. It may run on any thread.
  public init(
    _ name: String? = nil, scope: AlwaysCreateNewScope, fileID: StaticString = #fileID, line: UInt = #line,
    _ build: @escaping @Sendable (Pod) -> sending Value
  ) {
    declaration = SyncDeclaration<Value>(
      .sync, at: .init(fileID, line), .init(name, scope: .alwaysCreateNew),
      build: { build($0) })
  }
}

extension Provider: ProviderProtocol {
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

extension Provider {
  /// Declares a family: a parameterized provider with one member for each distinct set of arguments.
  ///
  /// ```swift
  /// let userProvider = Provider.family { (pod, id: Int) in User(id, api: pod.resolve(apiProvider)) }
  /// let user = pod.resolve(userProvider(7))
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
  ///     It runs on the thread that ends the instance, or that releases the last reference to a child pod.
  /// - Returns: The family. Call it with arguments to get a member.
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
        .sync, at: .init(fileID, line),
        .init(name, scope: scope, disposal: disposal, family: family, arguments: arguments),
        build: { pod in build(pod, repeat each arguments.values) })
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
    _ build: @escaping @Sendable (Pod, repeat each Argument) -> sending Value
  ) -> ProviderFamily<Self, repeat each Argument> {
    ProviderFamily(
      hashed: name, kind: .sync, scope: .alwaysCreateNew, fileID: fileID, line: line, valueType: Value.self
    ) { family, arguments in
      SyncDeclaration<Value>(
        .sync, at: .init(fileID, line), .init(name, scope: .alwaysCreateNew, family: family, arguments: arguments),
        build: { pod in build(pod, repeat each arguments.values) })
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
    _ build: @escaping @Sendable (Pod, repeat each Argument) -> sending Value
  ) -> ProviderFamily<Self, repeat each Argument> {
    ProviderFamily(unhashed: name, kind: .sync, fileID: fileID, line: line, valueType: Value.self) {
      family, arguments in
      SyncDeclaration<Value>(
        .sync, at: .init(fileID, line), .init(name, scope: .alwaysCreateNew, family: family, arguments: arguments),
        build: { pod in build(pod, repeat each arguments.values) })
    } member: {
      Self(declaration: $0)
    }
  }
}
