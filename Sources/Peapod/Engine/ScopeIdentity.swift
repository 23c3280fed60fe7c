/// A scope as the engine sees it: one object for each distinct scope, so that comparing never runs user code.
final class ScopeIdentity: Sendable {
  enum Kind: UInt8 {
    case singleton, alwaysCreateNew, weak, graph, custom

    /// The bit of a scope that there is once.
    var bit: UInt64 { 1 << UInt64(rawValue) }
  }

  let scope: any ProviderScope
  let kind: Kind
  let name: String
  let requiresOwner: Bool
  private let key: AnyHashableScope?

  private init(_ scope: any ProviderScope, kind: Kind, key: AnyHashableScope? = nil) {
    self.scope = scope
    self.kind = kind
    self.key = key
    name = key == nil ? "\(type(of: scope))" : "\(scope)"
    requiresOwner = kind == .custom && scope.requiresOwner
  }

  /// Stands for it, and for some others, in a word of bits.
  var bit: UInt64 { kind == .custom ? Entry.bit(of: self) : kind.bit }

  static let singleton = ScopeIdentity(SingletonScope(), kind: .singleton)
  static let alwaysCreateNew = ScopeIdentity(AlwaysCreateNewScope(), kind: .alwaysCreateNew)
  static let weak = ScopeIdentity(WeakScope(), kind: .weak)
  static let graph = ScopeIdentity(GraphScope(), kind: .graph)

  private static let interner = Interner<ScopeIdentity>()

  /// Finds the identity of a scope.
  ///
  /// Runs `==` and `hash(into:)` of the scope, so it is called without a lock.
  static func of(_ scope: any ProviderScope) -> ScopeIdentity {
    if let builtIn = builtIn(scope) { return builtIn }
    let type = ObjectIdentifier(Swift.type(of: scope))
    let key = (scope as? any Hashable).map { AnyHashableScope($0) }
    var hasher = Hasher()
    hasher.combine(type)
    if let key { key.hash(into: &hasher) }
    return interner.find(hash: hasher.finalize()) { other in
      guard ObjectIdentifier(Swift.type(of: other.scope)) == type else { return false }
      guard let key else { return true }
      return other.key?.isEqual(to: key) ?? false
    } make: {
      ScopeIdentity(scope, kind: .custom, key: key)
    }
  }

  private static func builtIn(_ scope: any ProviderScope) -> ScopeIdentity? {
    switch scope {
    case is SingletonScope: singleton
    case is AlwaysCreateNewScope: alwaysCreateNew
    case is WeakScope: weak
    case is GraphScope: graph
    default: nil
    }
  }

  /// This scope and everything below it.
  ///
  /// Runs `children` of the scopes, so it is called without a lock.
  ///
  /// - Complexity: O(number of scopes), without recursion: chains may be 100,000 deep and may form cycles.
  static func tree(below roots: [any ProviderScope]) -> ScopeSet {
    var found: [ObjectIdentifier: ScopeIdentity] = [:]
    var rest = roots
    while let scope = rest.popLast() {
      let identity = of(scope)
      guard found.updateValue(identity, forKey: ObjectIdentifier(identity)) == nil else { continue }
      rest.append(contentsOf: scope.children)
    }
    return ScopeSet(members: found)
  }

  deinit {
    if kind == .custom { Self.interner.noteDeath() }
  }
}

/// A set of scopes that is looked into without running user code.
struct ScopeSet: Sendable {
  var members: [ObjectIdentifier: ScopeIdentity] = [:]

  var isEmpty: Bool { members.isEmpty }
  func contains(_ scope: ScopeIdentity) -> Bool { members[ObjectIdentifier(scope)] != nil }
  func isDisjoint(with other: ScopeSet) -> Bool { !members.keys.contains { other.members[$0] != nil } }
}

/// The value of a hashable scope.
private struct AnyHashableScope: @unchecked Sendable {
  // Safe: the value is a scope, and scopes are Sendable.
  let value: any Hashable

  init(_ value: any Hashable) { self.value = value }

  func hash(into hasher: inout Hasher) { value.hash(into: &hasher) }

  func isEqual(to other: AnyHashableScope) -> Bool {
    func equal<Value: Hashable>(_ left: Value) -> Bool { left == (other.value as? Value) }
    return equal(value)
  }
}
