import Synchronization

/// The identity of a scope: one object for each distinct scope, so that a comparison never runs user code.
final class ScopeIdentity: Keyed, @unchecked Sendable {
  // Safe: constants and an atomic; `hashed` is a scope, and scopes are Sendable. `earlier` is set before other threads have the object.

  enum Kind: UInt8 {
    case singleton, alwaysCreateNew, weak, graph, custom
  }

  let type: ObjectIdentifier
  let kind: Kind
  private let typeName: String
  /// The name in messages, events and diagrams.
  ///
  /// For a hashable scope, user code makes the name, so this is called without a lock.
  var name: String { hashed.map { "\($0)" } ?? typeName }
  private let ownChangeNumber = ChangeNumber()
  /// For a hashable scope, the identity that has the number of all scopes of the type.
  private let typeIdentity: ScopeIdentity?
  /// The value of a hashable scope.
  ///
  /// Other scopes are identified by their type, and no value of them is retained.
  private let hashed: AnyHashable?
  private let hash: Int?
  /// The address of the next scope in a chain of `UnhashedScopes`, or zero.
  @exclusivity(unchecked) var earlier: UInt = 0

  private init(_ scope: any ProviderScope, kind: Kind, hashed: AnyHashable? = nil, hash: Int? = nil) {
    self.hash = hash
    let type = ObjectIdentifier(Swift.type(of: scope))
    typeIdentity =
      hashed == nil ? nil : Self.hashable.find(type) ?? Self.hashable.add(ScopeIdentity(scope, kind: kind))
    self.type = type
    self.kind = kind
    self.hashed = hashed
    typeName = hashed == nil ? "\(Swift.type(of: scope))" : ""
  }

  var key: ObjectIdentifier { ObjectIdentifier(self) }

  /// The number of the scope, which the scopes of one hashable type share: a program may make a scope for each request.
  var changeNumber: ChangeNumber {
    _read {
      let target = typeIdentity ?? self
      yield target.ownChangeNumber
    }
  }

  static let singleton = ScopeIdentity(SingletonScope(), kind: .singleton)
  static let alwaysCreateNew = ScopeIdentity(AlwaysCreateNewScope(), kind: .alwaysCreateNew)
  static let weak = ScopeIdentity(WeakScope(), kind: .weak)
  static let graph = ScopeIdentity(GraphScope(), kind: .graph)

  private static let interner = Interner<ScopeIdentity>()
  private static let unhashed = UnhashedScopes([singleton, alwaysCreateNew, weak, graph])
  /// One identity for each type of hashable scopes, for the number that they share.
  private static let hashable = UnhashedScopes([])

  /// Returns the identity of a scope.
  ///
  /// Runs `==` and `hash(into:)` of the scope, so it is called without a lock.
  @inline(__always)
  static func of<Scope: ProviderScope>(_ scope: Scope) -> ScopeIdentity {
    // Not `type(of:)`, which is a slow call. Its result differs only for classes, and the table contains no class.
    unhashed.find(ObjectIdentifier(Scope.self)) ?? find(scope)
  }

  // A function of its own, since the table is usually enough.
  @inline(never)
  private static func find(_ scope: any ProviderScope) -> ScopeIdentity {
    let type = Swift.type(of: scope)
    let hashable = scope as? any Hashable
    if hashable == nil, !(type is AnyObject.Type) { return unhashed.add(ScopeIdentity(scope, kind: .custom)) }
    let hashed = hashable.map { AnyHashable($0) }
    var hasher = Hasher()
    hasher.combine(ObjectIdentifier(type))
    hasher.combine(hashed)
    let hash = hasher.finalize()
    return interner.find(hash: hash, isEqual: { $0.type == ObjectIdentifier(type) && $0.hashed == hashed }) {
      ScopeIdentity(scope, kind: .custom, hashed: hashed, hash: hash)
    }
  }

  /// Returns scopes with their direct and indirect children.
  ///
  /// Runs `children` of the scopes, so it is called without a lock.
  ///
  /// - Complexity: O(number of scopes), without recursion: chains may be 100,000 deep and may form cycles.
  static func tree(below roots: [any ProviderScope]) -> SmallTable<ScopeIdentity> {
    var found = SmallTable<ScopeIdentity>()
    var rest: [any ProviderScope] = []
    for scope in roots where found.update(with: of(scope)) == nil {
      let children = scope.children
      if !children.isEmpty { rest.append(contentsOf: children) }
    }
    while let scope = rest.popLast() {
      if found.update(with: of(scope)) == nil { rest.append(contentsOf: scope.children) }
    }
    return found
  }

  deinit {
    if let hash { Self.interner.removeDeallocated(hash: hash) }
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

  /// The scope as the program may write it, for a message.
  var expression: String {
    let (type, text) = ("\(Swift.type(of: value))", identity.name)
    if type == text { return "\(type)(…)" }
    // The text of an enumeration's case lacks the type.
    return text.hasPrefix(type) ? text : "\(type).\(text)"
  }

  static let singleton = NamedScope(.singleton, SingletonScope())
  static let alwaysCreateNew = NamedScope(.alwaysCreateNew, AlwaysCreateNewScope())
}
