import Synchronization

/// The scopes that are identified by their type, in chains by bits of the type's address.
///
/// The chains only grow, so they are read and extended without a lock. The two tables of `ScopeIdentity` are never deallocated.
final class UnhashedScopes: @unchecked Sendable {
  // Safe: the chains are atomics. A scope in a chain never changes.
  /// The address of the latest scope of each chain, or zero.
  private let chains = UnsafeMutablePointer<Atomic<UInt>>.allocate(capacity: chainCount)
  private static let chainCount = 64

  init(_ known: [ScopeIdentity]) {
    for number in 0..<Self.chainCount { (chains + number).initialize(to: Atomic(0)) }
    for scope in known { _ = add(scope) }
  }

  @inline(__always)
  func find(_ type: ObjectIdentifier) -> ScopeIdentity? {
    // Acquiring, with the releasing exchange in `add`: sees the finished object.
    UnhashedScopes.find(type, from: chain(of: type).pointee.load(ordering: .acquiring))
  }

  /// Adds the scope of a type, unless there is one; returns the scope in the table.
  func add(_ scope: ScopeIdentity) -> ScopeIdentity {
    let chain = chain(of: scope.type)
    while true {
      let latest = chain.pointee.load(ordering: .acquiring)
      if let known = UnhashedScopes.find(scope.type, from: latest) { return known }
      scope.earlier = latest
      let address = UInt(bitPattern: Unmanaged.passUnretained(scope).toOpaque())
      guard chain.pointee.compareExchange(expected: latest, desired: address, ordering: .releasing).exchanged else {
        continue
      }
      return Unmanaged.passRetained(scope).takeUnretainedValue()
    }
  }

  private func chain(of type: ObjectIdentifier) -> UnsafeMutablePointer<Atomic<UInt>> {
    chains + Int(UInt(bitPattern: type) >> 4 % UInt(Self.chainCount))
  }

  @inline(__always)
  private static func find(_ type: ObjectIdentifier, from latest: UInt) -> ScopeIdentity? {
    var address = latest
    while let pointer = UnsafeRawPointer(bitPattern: address) {
      // Safe: a chain retains its scopes forever.
      let scope = Unmanaged<ScopeIdentity>.fromOpaque(pointer).takeUnretainedValue()
      if scope.type == type { return scope }
      address = scope.earlier
    }
    return nil
  }
}
