/// A type whose value says how long a pod caches the instances of a provider.
///
/// Declare a type for each lifetime of your program, and clear the scope when that lifetime ends:
/// ```swift
/// struct SignUpScope: ProviderScope {}
/// let formProvider = Provider(scope: SignUpScope()) { _ in SignUpForm() }
/// pod.clearCachedInstances(forScope: SignUpScope())
/// ```
/// The identity of a scope is its type. The identity of a `Hashable` scope is its type and its value.
///
/// - Note: Peapod may call `children`, `requiresOwner`, `==` and `hash(into:)` on any thread, and holds no lock during the
///   call.
public protocol ProviderScope: Sendable {
  /// The scopes that are cleared with this scope.
  ///
  /// The default is an empty array. Scopes may repeat and may form a cycle.
  var children: [any ProviderScope] { get }

  /// Whether only a pod that owns this scope may cache its instances.
  ///
  /// The default is `false`.
  ///
  /// If no pod owns the scope, a resolve stops the program with a message. So an instance of one user or request is
  /// never cached for all users or requests.
  var requiresOwner: Bool { get }
}

extension ProviderScope {
  /// An empty array.
  public var children: [any ProviderScope] { [] }

  /// The value `false`.
  public var requiresOwner: Bool { false }
}
