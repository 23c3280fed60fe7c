import Synchronization

/// The identity of a scope: one object for each distinct scope, so that a comparison never runs user code.
final class ScopeIdentity: Keyed, Sendable {
  enum Kind: UInt8 {
    case singleton, alwaysCreateNew, weak, graph, custom
  }

  let type: ObjectIdentifier
  let kind: Kind
  let name: String
  let changeNumber = ChangeNumber()
  // Safe: constant; the value is a scope, and scopes are Sendable.
  /// The value of a hashable scope.
  ///
  /// Other scopes are identified by their type, and no value of them is retained.
  nonisolated(unsafe) private let hashed: AnyHashable?

  private init(_ scope: any ProviderScope, kind: Kind, hashed: AnyHashable? = nil) {
    self.kind = kind
    self.hashed = hashed
    type = ObjectIdentifier(Swift.type(of: scope))
    name = hashed == nil ? "\(Swift.type(of: scope))" : "\(scope)"
  }

  var key: ObjectIdentifier { ObjectIdentifier(self) }

  static let singleton = ScopeIdentity(SingletonScope(), kind: .singleton)
  static let alwaysCreateNew = ScopeIdentity(AlwaysCreateNewScope(), kind: .alwaysCreateNew)
  static let weak = ScopeIdentity(WeakScope(), kind: .weak)
  static let graph = ScopeIdentity(GraphScope(), kind: .graph)

  private static let interner = Interner<ScopeIdentity>()
  private static let unhashed = UnhashedScopes()

  /// Returns the identity of a scope.
  ///
  /// Runs `==` and `hash(into:)` of the scope, so it is called without a lock.
  @inline(__always)
  static func of(_ scope: any ProviderScope) -> ScopeIdentity { recent(scope) ?? find(scope) }

  /// Returns the identity of a scope that is identified by its type, if it was used lately.
  @inline(__always)
  private static func recent<Scope: ProviderScope>(_ scope: Scope) -> ScopeIdentity? {
    // Not `type(of:)`, which is a slow call. Its result differs only for classes, and no class is found here.
    unhashed.recent(ObjectIdentifier(Scope.self))
  }

  // A function of its own, since `recent` is usually enough.
  @inline(never)
  private static func find(_ scope: any ProviderScope) -> ScopeIdentity {
    let type = ObjectIdentifier(Swift.type(of: scope))
    if let known = builtIn(type) { return known }
    if let known = unhashed.find(type) {
      if !(Swift.type(of: scope) is AnyObject.Type) { unhashed.note(known) }
      return known
    }
    guard let hashable = scope as? any Hashable else {
      return unhashed.add(ScopeIdentity(scope, kind: .custom), type)
    }
    let hashed = AnyHashable(hashable)
    var hasher = Hasher()
    hasher.combine(type)
    hasher.combine(hashed)
    let hash = hasher.finalize()
    func isEqual(_ other: ScopeIdentity) -> Bool { other.type == type && other.hashed == hashed }
    if let known = interner.first(hash: hash), isEqual(known) { return known }
    return interner.find(hash: hash, isEqual: isEqual) { ScopeIdentity(scope, kind: .custom, hashed: hashed) }
  }

  private static func builtIn(_ type: ObjectIdentifier) -> ScopeIdentity? {
    if type == ObjectIdentifier(SingletonScope.self) { return singleton }
    if type == ObjectIdentifier(AlwaysCreateNewScope.self) { return alwaysCreateNew }
    if type == ObjectIdentifier(WeakScope.self) { return weak }
    return type == ObjectIdentifier(GraphScope.self) ? graph : nil
  }

  /// Returns scopes with their direct and indirect children.
  ///
  /// Runs `children` of the scopes, so it is called without a lock.
  ///
  /// - Complexity: O(number of scopes), without recursion: chains may be 100,000 deep and may form cycles.
  static func tree(below roots: [any ProviderScope]) -> SmallTable<ScopeIdentity> {
    var found = SmallTable<ScopeIdentity>()
    var rest: [any ProviderScope] = []
    for scope in roots where found.insert(of(scope)) {
      let children = scope.children
      if !children.isEmpty { rest.append(contentsOf: children) }
    }
    while let scope = rest.popLast() {
      if found.insert(of(scope)) { rest.append(contentsOf: scope.children) }
    }
    return found
  }

  deinit {
    if hashed != nil { Self.interner.noteDeath() }
  }
}

/// The scope of a declaration or an override: its identity, and the scope value, which returns the children.
final class NamedScope: Sendable {
  let identity: ScopeIdentity
  let value: any ProviderScope
  let requiresOwner: Bool

  private init(_ identity: ScopeIdentity, _ value: any ProviderScope) {
    self.identity = identity
    self.value = value
    requiresOwner = identity.kind == .custom && value.requiresOwner
  }

  /// Runs `==`, `hash(into:)` and `requiresOwner` of the scope, so it is called without a lock.
  static func of(_ scope: any ProviderScope) -> NamedScope {
    let identity = ScopeIdentity.of(scope)
    return identity === ScopeIdentity.singleton ? .singleton : NamedScope(identity, scope)
  }

  static let singleton = NamedScope(.singleton, SingletonScope())
  static let alwaysCreateNew = NamedScope(.alwaysCreateNew, AlwaysCreateNewScope())
}
