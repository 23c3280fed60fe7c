import Synchronization

/// The scopes that are identified by their type.
///
/// There is one such table, and it is never deallocated.
final class UnhashedScopes: @unchecked Sendable {
  // Safe: `known` is read and written under `lock` alone, `latest` by atomics.
  private var known: [ObjectIdentifier: ScopeIdentity] = [:]
  private let lock = Lock()
  /// The addresses of the scopes that were used last, by bits of the type's address.
  private let latest = UnsafeMutablePointer<Atomic<UInt>>.allocate(capacity: latestCount)
  private static let latestCount = 16

  init() {
    for index in 0..<Self.latestCount { (latest + index).initialize(to: Atomic(0)) }
  }

  /// Returns the scope of a type, if it was noted lately.
  @inline(__always)
  func recent(_ type: ObjectIdentifier) -> ScopeIdentity? {
    guard let address = UnsafeRawPointer(bitPattern: place(of: type).pointee.load(ordering: .acquiring)) else {
      return nil
    }
    // Safe: `known` retains the scope forever. The acquiring load, with the releasing store in `note`, shows the finished object.
    let scope = Unmanaged<ScopeIdentity>.fromOpaque(address).takeUnretainedValue()
    return scope.type == type ? scope : nil
  }

  func find(_ type: ObjectIdentifier) -> ScopeIdentity? { lock.withLock { known[type] } }

  /// Lets `recent` find a scope of a type that is no class, until another scope takes its place.
  func note(_ scope: ScopeIdentity) {
    place(of: scope.type).pointee.store(
      UInt(bitPattern: Unmanaged.passUnretained(scope).toOpaque()), ordering: .releasing)
  }

  private func place(of type: ObjectIdentifier) -> UnsafeMutablePointer<Atomic<UInt>> {
    latest + Int(UInt(bitPattern: type) >> 4 % UInt(Self.latestCount))
  }

  /// Adds the scope of a type, unless there is one; returns the scope in the table.
  func add(_ scope: ScopeIdentity, _ type: ObjectIdentifier) -> ScopeIdentity {
    lock.withLock {
      if let known = known[type] { return known }
      known[type] = scope
      return scope
    }
  }
}
