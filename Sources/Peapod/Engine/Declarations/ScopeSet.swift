/// A set of scopes.
///
/// A search in the set runs no user code.
struct ScopeSet: Sendable {
  /// All scopes but the first, constant once the set is made.
  private final class Others: @unchecked Sendable {
    // Safe: written only where the set is made.
    var scopes: [ScopeIdentity] = []
    /// The identifiers of `scopes`, if there are many.
    var index: Set<ObjectIdentifier> = []

    @inline(never)
    func contains(_ scope: ObjectIdentifier) -> Bool {
      index.isEmpty ? scopes.contains { ObjectIdentifier($0) == scope } : index.contains(scope)
    }
  }

  /// The first scope, usually the only scope, which needs no list.
  private var first: ScopeIdentity?
  private var others: Others?
  private static let indexedCount = 8

  var isEmpty: Bool { first == nil }

  var all: [ScopeIdentity] { first.map { [$0] + (others?.scopes ?? []) } ?? [] }

  func contains(_ scope: ScopeIdentity) -> Bool { contains(ObjectIdentifier(scope)) }

  @inline(__always)
  func contains(_ scope: ObjectIdentifier) -> Bool {
    if let first, ObjectIdentifier(first) == scope { return true }
    return others?.contains(scope) ?? false
  }

  /// Adds a scope while the set is made; returns whether the scope is new.
  mutating func insert(_ scope: ScopeIdentity) -> Bool {
    guard first != nil else {
      first = scope
      return true
    }
    return insertFurther(scope)
  }

  @inline(never)
  private mutating func insertFurther(_ scope: ScopeIdentity) -> Bool {
    guard !contains(scope) else { return false }
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
