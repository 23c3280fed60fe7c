import Peapod
import Testing

/// Rule 4: instances of a scope live until it, or a scope above it, is cleared.
@MainActor
struct ScopeTests {
  private struct AppScope: ProviderScope {
    var children: [any ProviderScope] { [SessionScope(), SessionScope()] }
  }
  private struct SessionScope: ProviderScope {
    var children: [any ProviderScope] { [ScreenScope()] }
  }
  private struct ScreenScope: ProviderScope {}
  private struct OtherScope: ProviderScope {}

  /// A scope without `Hashable`: its type alone counts.
  private final class TypeScope: ProviderScope {
    let number: Int
    init(_ number: Int) { self.number = number }
  }

  private struct AccountScope: ProviderScope, Hashable {
    var id: Int
  }
  private struct TabScope: ProviderScope, Hashable {
    var id: Int
  }

  /// Equal by its number alone; every value has a hash of its own only by number too.
  private struct LooseScope: ProviderScope, Hashable {
    var number: Int
    var note: String
    static func == (left: Self, right: Self) -> Bool { left.number == right.number }
    func hash(into hasher: inout Hasher) { hasher.combine(number) }
  }

  /// All values hash alike.
  private struct CollidingScope: ProviderScope, Hashable {
    var number: Int
    func hash(into hasher: inout Hasher) { hasher.combine(0) }
  }

  private struct RingScope: ProviderScope, Hashable {
    var position: Int
    var children: [any ProviderScope] { [RingScope(position: (position + 1) % 3), self] }
  }

  /// Nests 100,000 deep, each child twice, so that only a walk that remembers where it was comes to an end.
  private struct NestedScope: ProviderScope, Hashable {
    static let depth = 100_000
    var level: Int
    var children: [any ProviderScope] {
      level < Self.depth ? [NestedScope(level: level + 1), NestedScope(level: level + 1)] : []
    }
  }

  @Test("R4 an instance is kept until its scope is cleared", arguments: SynchronousKind.allCases)
  func keptUntilCleared(kind: SynchronousKind) {
    let population = Population()
    let provider = kind.declare(scope: ScreenScope()) { _ in population.make() }
    let pod = Pod()
    #expect(pod.resolve(provider).serial == 1)
    #expect(pod.resolve(provider).serial == 1)
    pod.clearCachedInstances(forScope: ScreenScope())
    #expect(!pod.isCached(provider))
    #expect(population.live == 0)
    #expect(pod.resolve(provider).serial == 2)
    #expect(pod.isCached(provider))
  }

  @Test("R4 clearing reaches children and their children, and nothing else", arguments: SynchronousKind.allCases)
  func clearingReachesDescendants(kind: SynchronousKind) {
    let providers = [
      kind.declare(scope: AppScope()) { _ in Tracked() }, kind.declare(scope: SessionScope()) { _ in Tracked() },
      kind.declare(scope: ScreenScope()) { _ in Tracked() }, kind.declare(scope: OtherScope()) { _ in Tracked() },
    ]
    func keptAfterClearing(_ scope: some ProviderScope) -> [Bool] {
      let pod = Pod()
      for provider in providers { _ = pod.resolve(provider) }
      pod.clearCachedInstances(forScope: scope)
      return providers.map { pod.isCached($0) }
    }
    #expect(keptAfterClearing(AppScope()) == [false, false, false, true])
    #expect(keptAfterClearing(SessionScope()) == [true, false, false, true])
    #expect(keptAfterClearing(ScreenScope()) == [true, true, false, true])
    #expect(keptAfterClearing(OtherScope()) == [true, true, true, false])
    #expect(keptAfterClearing(TypeScope(1)) == [true, true, true, true])
  }

  @Test("R4 clearing in one pod leaves another alone")
  func podsAreApart() {
    let provider = Provider(scope: ScreenScope()) { _ in Tracked() }
    let (first, second) = (Pod("first"), Pod("second"))
    let kept = second.resolve(provider)
    _ = first.resolve(provider)
    first.clearCachedInstances(forScope: ScreenScope())
    #expect(!first.isCached(provider))
    #expect(second.resolve(provider) === kept)
  }

  @Test("R4 clearing leaves what longer-lived instances were built from it as it is")
  func dependentsStay() {
    let part = Provider(scope: ScreenScope()) { _ in Tracked() }
    let whole = Provider(scope: AppScope()) { pod in Tracked(keeping: [pod.resolve(part)]) }
    let pod = Pod()
    let before = pod.resolve(whole)
    pod.clearCachedInstances(forScope: ScreenScope())
    #expect(pod.resolve(whole) === before)
    #expect(pod.resolve(part) !== before.parts[0] as? Tracked)
  }

  @Test("R4 a scope that is not hashable is known by its type")
  func scopesByType() {
    let provider = Provider(scope: TypeScope(1)) { _ in Tracked() }
    let pod = Pod()
    _ = pod.resolve(provider)
    pod.clearCachedInstances(forScope: TypeScope(2))
    #expect(!pod.isCached(provider))
  }

  @Test("R4 a hashable scope is known by its type and value")
  func scopesByValue() {
    let first = Provider(scope: AccountScope(id: 1)) { _ in Tracked() }
    let second = Provider(scope: AccountScope(id: 2)) { _ in Tracked() }
    let tab = Provider(scope: TabScope(id: 1)) { _ in Tracked() }
    let pod = Pod()
    func resolveAll() { _ = (pod.resolve(first), pod.resolve(second), pod.resolve(tab)) }
    resolveAll()
    pod.clearCachedInstances(forScope: AccountScope(id: 1))
    #expect([pod.isCached(first), pod.isCached(second), pod.isCached(tab)] == [false, true, true])
    resolveAll()
    pod.clearCachedInstances(forScope: TabScope(id: 1))
    #expect([pod.isCached(first), pod.isCached(second), pod.isCached(tab)] == [true, true, false])
    pod.clearCachedInstances(forScope: AccountScope(id: 3))
    #expect([pod.isCached(first), pod.isCached(second)] == [true, true])
  }

  @Test("R4 scopes are compared by their own equality")
  func scopesByTheirOwnEquality() {
    let provider = Provider(scope: LooseScope(number: 1, note: "declared")) { _ in Tracked() }
    let colliding = (0..<20).map { number in Provider(scope: CollidingScope(number: number)) { _ in number } }
    let pod = Pod()
    _ = pod.resolve(provider)
    for member in colliding { _ = pod.resolve(member) }
    pod.clearCachedInstances(forScope: LooseScope(number: 1, note: "cleared"))
    #expect(!pod.isCached(provider))
    pod.clearCachedInstances(forScope: CollidingScope(number: 7))
    #expect(colliding.indices.filter { !pod.isCached(colliding[$0]) } == [7])
  }

  @Test("R4 children may form a ring", arguments: 0..<3)
  func ring(start: Int) {
    let providers = (0..<3).map { position in Provider(scope: RingScope(position: position)) { _ in position } }
    let pod = Pod()
    for provider in providers { _ = pod.resolve(provider) }
    pod.clearCachedInstances(forScope: RingScope(position: start))
    #expect(providers.map { pod.isCached($0) } == [false, false, false])
  }

  @Test("R4 children may nest 100,000 deep and repeat at every level")
  func nested() async throws {
    let middle = NestedScope.depth / 2
    let top = Provider(scope: NestedScope(level: 0)) { _ in Tracked() }
    let half = Provider(scope: NestedScope(level: middle)) { _ in Tracked() }
    let bottom = Provider(scope: NestedScope(level: NestedScope.depth)) { _ in Tracked() }
    let pod = Pod()
    func cached() -> [Bool] { [pod.isCached(top), pod.isCached(half), pod.isCached(bottom)] }
    _ = (pod.resolve(top), pod.resolve(half), pod.resolve(bottom))
    try await blocking { pod.clearCachedInstances(forScope: NestedScope(level: middle + 1)) }
    #expect(cached() == [true, true, false])
    _ = pod.resolve(bottom)
    try await blocking { pod.clearCachedInstances(forScope: NestedScope(level: 0)) }
    #expect(cached() == [false, false, false])
  }

  @Test("R4 clearing a parent whose child is a singleton or always new is harmless")
  func builtInChildren() {
    struct Above: ProviderScope {
      var children: [any ProviderScope] { [SingletonScope(), AlwaysCreateNewScope(), ScreenScope()] }
    }
    let singleton = Provider { _ in Tracked() }
    let screen = Provider(scope: ScreenScope()) { _ in Tracked() }
    let pod = Pod()
    _ = (pod.resolve(singleton), pod.resolve(screen))
    pod.clearCachedInstances(forScope: Above())
    #expect(pod.isCached(singleton))
    #expect(!pod.isCached(screen))
  }
}
