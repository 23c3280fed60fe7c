/// How long the instances of a provider are kept.
///
/// Declare a type for each lifetime of your program, and clear it when that lifetime ends:
/// ```swift
/// struct SignUpScope: ProviderScope {}
/// let formProvider = Provider(scope: SignUpScope()) { _ in SignUpForm() }
/// pod.clearCachedInstances(forScope: SignUpScope())
/// ```
/// A scope is identified by its type; a scope that is `Hashable` by its type and value.
///
/// - Note: `children`, `requiresOwner`, `==` and `hash(into:)` may be called on any thread. No lock is held meanwhile.
public protocol ProviderScope: Sendable {
  /// The scopes that end when this one does; none by default. They may repeat and may form a cycle.
  var children: [any ProviderScope] { get }

  /// Whether an instance of this scope may live only in a pod that owns the scope; `false` by default.
  ///
  /// Resolving such a provider where no pod owns the scope stops the program with a clear text, so that what belongs to
  /// one user or request cannot become everybody's.
  var requiresOwner: Bool { get }
}

extension ProviderScope {
  /// No children.
  public var children: [any ProviderScope] { [] }

  /// Not required.
  public var requiresOwner: Bool { false }
}
