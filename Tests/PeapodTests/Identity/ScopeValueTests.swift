import Testing

@testable import Peapod

/// Rules 4 and 27: a scope's value that is no longer used is released, the first of its type too.
@Suite struct ScopeValueTests {
  /// A scope whose identity is its type, with a payload; each test has its own type.
  private struct PayloadScope<Test>: ProviderScope {
    let payload: Tracked
    var children: [any ProviderScope] = []
  }

  private struct HashablePayloadScope: ProviderScope, Hashable {
    let payload: Tracked
    static func == (left: Self, right: Self) -> Bool { left.payload === right.payload }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(payload)) }
  }

  private let population = Population()

  @Test("R4 R27 of a provider that is gone")
  func provider() {
    enum Test {}
    do {
      let provider = Provider(scope: PayloadScope<Test>(payload: population.make())) { _ in 1 }
      let pod = Pod()
      #expect(pod.resolve(provider) == 1)
    }
    #expect(population.live == 0)
  }

  @Test("R4 R27 of a clear that finds nothing, and of one that finds something")
  func clear() {
    enum Test {}
    let pod = Pod()
    pod.clearCachedInstances(forScope: PayloadScope<Test>(payload: population.make()))
    #expect(population.live == 0)
    do {
      let provider = Provider(scope: PayloadScope<Test>(payload: population.make())) { _ in 1 }
      #expect(pod.resolve(provider) == 1)
      pod.clearCachedInstances(forScope: PayloadScope<Test>(payload: population.make()))
      #expect(!pod.isCached(provider))
    }
    #expect(population.live == 0)
  }

  @Test("R20 R27 of a child that owned it")
  func owned() {
    enum Test {}
    let root = Pod()
    do {
      let child = root.makeChild(owning: [PayloadScope<Test>(payload: population.make())])
      let provider = Provider(scope: PayloadScope<Test>(payload: population.make())) { _ in 1 }
      #expect(child.resolve(provider) == 1)
    }
    #expect(population.live == 0)
  }

  @Test("R4 R27 of the children of a scope")
  func children() {
    enum Test {}
    enum Inner {}
    let pod = Pod()
    do {
      let inner = PayloadScope<Inner>(payload: population.make())
      let outer = PayloadScope<Test>(payload: population.make(), children: [inner])
      let provider = Provider(scope: inner) { _ in 1 }
      #expect(pod.resolve(provider) == 1)
      pod.clearCachedInstances(forScope: outer)
      #expect(!pod.isCached(provider))
    }
    #expect(population.live == 0)
  }

  @Test("R15 R27 of an override that is removed")
  func override() {
    enum Test {}
    let provider = Provider("provider") { _ in 1 }
    let pod = Pod()
    pod.overrideProvider(provider, scope: PayloadScope<Test>(payload: population.make())) { _ in 2 }
    #expect(pod.resolve(provider) == 2)
    pod.removeOverrideProvider(provider)
    #expect(pod.resolve(provider) == 1)
    #expect(population.live == 0)
  }

  @Test("R4 R27 the values of a Hashable scope, of many pods and providers")
  func hashable() {
    do {
      let root = Pod()
      for _ in 0..<50 {
        let scope = HashablePayloadScope(payload: population.make())
        let provider = Provider(scope: scope) { _ in 1 }
        let child = root.makeChild(owning: [scope])
        #expect(child.resolve(provider) == 1)
        root.clearCachedInstances(forScope: scope)
      }
    }
    #expect(population.live == 0)
  }

  @Test("R20 R21 the values of a hashable scope share a bit, so a child for each request changes no masks")
  func sharedBit() {
    struct RequestScope: ProviderScope, Hashable { let number: Int }
    struct OtherScope: ProviderScope, Hashable { let number: Int }
    let bits = (0..<100).map { ScopeIdentity.of(RequestScope(number: $0)).changeNumber.assign() }
    #expect(Set(bits).count == 1)
    #expect(ScopeIdentity.of(RequestScope(number: 1)) !== ScopeIdentity.of(RequestScope(number: 2)))
    #expect(ScopeIdentity.of(RequestScope(number: 1)) !== ScopeIdentity.of(OtherScope(number: 1)))
  }

  @Test("R20 children that own different values of one hashable scope have instances of their own")
  func instancesOfValues() {
    struct AccountScope: ProviderScope, Hashable { let number: Int }
    final class Account: Sendable {}
    let root = Pod("root")
    let accounts = (0..<3).map { number in
      Provider("account \(number)", scope: AccountScope(number: number)) { _ in Account() }
    }
    let children = (0..<3).map { root.makeChild(owning: [AccountScope(number: $0)]) }
    let shared = root.resolve(accounts[0])
    for (number, child) in children.enumerated() {
      for (other, account) in accounts.enumerated() {
        let instance = child.resolve(account)
        #expect((instance === root.resolve(account)) == (number != other))
        #expect(child.resolve(account) === instance)
      }
    }
    #expect(root.resolve(accounts[0]) === shared)
  }
}
