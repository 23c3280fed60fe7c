import Synchronization

/// A scope as the engine sees it: one object for each distinct scope, so that comparing never runs user code.
final class ScopeIdentity: Sendable {
  enum Kind: UInt8 {
    case singleton, alwaysCreateNew, weak, graph, custom

    /// The bit of a scope that there is once.
    @inline(__always)
    var bit: UInt64 { 1 << UInt64(rawValue) }
  }

  let scope: any ProviderScope
  /// The type of the scope.
  let type: ObjectIdentifier
  let kind: Kind
  let name: String
  let requiresOwner: Bool
  private let key: AnyHashableScope?

  private init(_ scope: any ProviderScope, kind: Kind, key: AnyHashableScope? = nil) {
    self.scope = scope
    self.kind = kind
    self.key = key
    type = ObjectIdentifier(Swift.type(of: scope))
    bit =
      kind == .custom
      ? Bits.bit(ofScope: Self.count.wrappingAdd(1, ordering: .relaxed).oldValue) : kind.bit
    name = key == nil ? "\(Swift.type(of: scope))" : "\(scope)"
    requiresOwner = kind == .custom && scope.requiresOwner
  }

  /// Stands for it, and for some others, in a word of bits.
  let bit: UInt64
  private static let count = Atomic<UInt32>(0)

  static let singleton = ScopeIdentity(SingletonScope(), kind: .singleton)
  static let alwaysCreateNew = ScopeIdentity(AlwaysCreateNewScope(), kind: .alwaysCreateNew)
  static let weak = ScopeIdentity(WeakScope(), kind: .weak)
  static let graph = ScopeIdentity(GraphScope(), kind: .graph)

  private static let interner = Interner<ScopeIdentity>()
  private static let unhashed = UnhashedScopes()

  /// Finds the identity of a scope.
  ///
  /// Runs `==` and `hash(into:)` of the scope, so it is called without a lock.
  @inline(__always)
  static func of(_ scope: any ProviderScope) -> ScopeIdentity { recent(scope) ?? find(scope) }

  /// A scope that its type alone tells from others, if it was asked for lately.
  @inline(__always)
  private static func recent<Scope: ProviderScope>(_ scope: Scope) -> ScopeIdentity? {
    // `type(of:)` is a long call, and tells more of classes alone, none of which is found here.
    unhashed.recent(ObjectIdentifier(Scope.self))
  }

  // Kept apart from what is mostly enough.
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
    let key = AnyHashableScope(hashable)
    var hasher = Hasher()
    hasher.combine(type)
    key.hash(into: &hasher)
    let hash = hasher.finalize()
    func isEqual(_ other: ScopeIdentity) -> Bool {
      other.type == type && other.key?.isEqual(to: key) ?? false
    }
    if let known = interner.first(hash: hash), isEqual(known) { return known }
    return interner.find(hash: hash, isEqual: isEqual) { ScopeIdentity(scope, kind: .custom, key: key) }
  }

  private static func builtIn(_ type: ObjectIdentifier) -> ScopeIdentity? {
    if type == ObjectIdentifier(SingletonScope.self) { return singleton }
    if type == ObjectIdentifier(AlwaysCreateNewScope.self) { return alwaysCreateNew }
    if type == ObjectIdentifier(WeakScope.self) { return weak }
    return type == ObjectIdentifier(GraphScope.self) ? graph : nil
  }

  /// This scope and everything below it.
  ///
  /// Runs `children` of the scopes, so it is called without a lock.
  ///
  /// - Complexity: O(number of scopes), without recursion: chains may be 100,000 deep and may form cycles.
  static func tree(below roots: [any ProviderScope]) -> ScopeSet {
    var found = ScopeSet()
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
    if key != nil { Self.interner.noteDeath() }
  }
}

/// A set of scopes that is looked into without running user code.
struct ScopeSet: Sendable {
  /// All but the first, constant once the set is made.
  private final class Others: @unchecked Sendable {
    // Safe: written only where the set is made.
    var scopes: [ScopeIdentity] = []
    /// The same, where there are too many to look at each.
    var index: Set<ObjectIdentifier> = []

    @inline(never)
    func contains(_ scope: ObjectIdentifier) -> Bool {
      index.isEmpty ? scopes.contains { ObjectIdentifier($0) == scope } : index.contains(scope)
    }
  }

  /// Mostly it is the only one, and needs no list.
  private var first: ScopeIdentity?
  private var others: Others?
  private static let indexedCount = 8

  /// The bits of all.
  private(set) var bits: UInt64 = 0

  var all: [ScopeIdentity] { first.map { [$0] + (others?.scopes ?? []) } ?? [] }

  func contains(_ scope: ScopeIdentity) -> Bool { contains(ObjectIdentifier(scope)) }

  @inline(__always)
  func contains(_ scope: ObjectIdentifier) -> Bool {
    if let first, ObjectIdentifier(first) == scope { return true }
    return others?.contains(scope) ?? false
  }

  /// Adds a scope to a set that is just being made; returns whether it is new.
  fileprivate mutating func insert(_ scope: ScopeIdentity) -> Bool {
    guard first != nil else {
      bits = scope.bit
      first = scope
      return true
    }
    return insertFurther(scope)
  }

  @inline(never)
  private mutating func insertFurther(_ scope: ScopeIdentity) -> Bool {
    guard !contains(scope) else { return false }
    bits |= scope.bit
    let others = self.others ?? Others()
    self.others = others
    others.scopes.append(scope)
    if !others.index.isEmpty {
      others.index.insert(ObjectIdentifier(scope))
    } else if others.scopes.count > ScopeSet.indexedCount {
      others.index = Set(others.scopes.map { ObjectIdentifier($0) })
    }
    return true
  }
}

/// The scopes that their types alone tell from each other: as many as the program has such types.
///
/// There is one such table, for ever.
private final class UnhashedScopes: @unchecked Sendable {
  // Safe: `known` is read and written under `lock` alone, `recent` by atomics.
  private var known: [ObjectIdentifier: ScopeIdentity] = [:]
  private let lock = EngineLock()
  /// The addresses of those that were asked for last, by bits of the type's address.
  private let latest = UnsafeMutablePointer<Atomic<UInt>>.allocate(capacity: latestCount)
  private static let latestCount = 16

  init() {
    for index in 0..<Self.latestCount { (latest + index).initialize(to: Atomic(0)) }
  }

  /// The scope of a type, if it was noted lately.
  @inline(__always)
  func recent(_ type: ObjectIdentifier) -> ScopeIdentity? {
    guard let address = UnsafeRawPointer(bitPattern: place(of: type).pointee.load(ordering: .acquiring)) else {
      return nil
    }
    // Safe: `known` keeps it for ever; acquired here and released below, so that what the address leads to is seen.
    let scope = Unmanaged<ScopeIdentity>.fromOpaque(address).takeUnretainedValue()
    return scope.type == type ? scope : nil
  }

  func find(_ type: ObjectIdentifier) -> ScopeIdentity? { lock.withLock { known[type] } }

  /// Lets a scope, whose type is no class, be found without a lock until others are noted.
  func note(_ scope: ScopeIdentity) {
    place(of: scope.type).pointee.store(
      UInt(bitPattern: Unmanaged.passUnretained(scope).toOpaque()), ordering: .releasing)
  }

  private func place(of type: ObjectIdentifier) -> UnsafeMutablePointer<Atomic<UInt>> {
    latest + Int(UInt(bitPattern: type) >> 4 % UInt(Self.latestCount))
  }

  /// Adds the scope of a type, unless there is one already; returns the one that counts.
  func add(_ scope: ScopeIdentity, _ type: ObjectIdentifier) -> ScopeIdentity {
    lock.withLock {
      if let known = known[type] { return known }
      known[type] = scope
      return scope
    }
  }
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
