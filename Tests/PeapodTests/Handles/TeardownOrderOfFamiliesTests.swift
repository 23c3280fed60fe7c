import Peapod
import Testing

/// Rules 22, 26 and 27: what holds a factory of a family goes before all members, whoever asked for these.
@Suite struct TeardownOrderOfFamiliesTests {
  /// An instance, with what it may make.
  final class Item: Sendable {
    let name: String
    let make: (@Sendable (Int) -> Item)?
    init(_ name: String, make: (@Sendable (Int) -> Item)? = nil) { (self.name, self.make) = (name, make) }
  }

  private let log = Log<String>()

  private func declareUser(scope: some ProviderScope = SingletonScope()) -> ProviderFamily<Provider<Item>, Int> {
    let log = log
    return Provider.family("user", scope: scope) { (_: Pod, id: Int) in
      Item("user \(id)")
    } onDispose: {
      log.append($0.name)
    }
  }

  private func declareHolder(_ name: String, of family: ProviderFamily<Provider<Item>, Int>) -> Provider<Item> {
    let log = log
    return Provider(name, { Item(name, make: $0.factory(family)) }, onDispose: { log.append($0.name) })
  }

  @Test("R22 R26 R27 what holds a factory of a family goes before the members that it made, and those that others made")
  func holderFirst() {
    let user = declareUser()
    let holder = declareHolder("holder", of: user)
    let pod = Pod()
    let held = pod.resolve(holder)
    _ = held.make?(1)
    _ = held.make?(2)
    _ = pod.resolve(user(3))
    pod.dispose()
    #expect(log.entries == ["holder", "user 3", "user 2", "user 1"])
  }

  @Test("R22 R26 R27 several holders go latest first, and then the members, of which each is disposed once")
  func severalHolders() {
    let user = declareUser()
    let holders = (1...7).map { declareHolder("holder \($0)", of: user) }
    let pod = Pod()
    for holder in holders { _ = pod.resolve(holder) }
    for id in 1...3 { _ = pod.resolve(user(id)) }
    pod.dispose()
    #expect(log.entries == (1...7).reversed().map { "holder \($0)" } + ["user 3", "user 2", "user 1"])
  }

  @Test("R22 R27 members that are cleared go at once where what holds a factory of them is kept")
  func membersAlone() {
    let user = declareUser(scope: OwnedScope())
    let holder = declareHolder("holder", of: user)
    let pod = Pod()
    let held = pod.resolve(holder)
    for id in 1...3 { _ = held.make?(id) }
    pod.clearCachedInstances(forScope: OwnedScope())
    #expect(log.entries == ["user 3", "user 2", "user 1"])
    #expect(pod.resolve(holder) === held)
    _ = held.make?(4)
    pod.dispose()
    #expect(log.entries == ["user 3", "user 2", "user 1", "holder", "user 4"])
  }

  @Test("R22 R26 R27 members that hold a factory of their own family go latest first, after what else holds one")
  func ownFamily() {
    let log = log
    let late = Locked<ProviderFamily<Provider<Item>, Int>?>(nil)
    let node = Provider.family("node") { (pod: Pod, id: Int) in
      Item("node \(id)", make: late.withLock { $0.map { pod.factory($0) } })
    } onDispose: {
      log.append($0.name)
    }
    late.withLock { $0 = node }
    let pod = Pod()
    _ = pod.resolve(declareHolder("holder", of: node))
    var item = pod.resolve(node(1))
    for id in 2...4 { if let next = item.make?(id) { item = next } }
    pod.dispose()
    #expect(log.entries == ["holder", "node 4", "node 3", "node 2", "node 1"])
    late.withLock { $0 = nil }
  }

  @Test("R26 R27 members wait for the asynchronous hook of what holds a factory of their family")
  func asynchronousHook() async throws {
    let log = log
    let gate = AsyncGate()
    let user = declareUser()
    let holder = AsyncProvider("holder") { pod in
      Item("holder", make: pod.factory(user))
    } onDispose: { _ in
      await gate.wait()
      log.append("holder")
    }
    let pod = Pod()
    let held = try await pod.resolve(holder)
    for id in 1...3 { _ = held.make?(id) }
    pod.dispose()
    #expect(log.entries == [])
    gate.open()
    await pod.shutdown()
    #expect(log.entries == ["holder", "user 3", "user 2", "user 1"])
  }

  @Test("R15 R22 R27 what an override of the family or of a member made goes after what holds a factory of it")
  func overridden() {
    let user = declareUser()
    let holder = declareHolder("holder", of: user)
    let pod = Pod()
    pod.overrideProvider(user(1)) { _ in Item("USER 1") }
    _ = pod.resolve(holder).make?(1)
    _ = pod.resolve(user(2))
    pod.overrideProvider(user) { _, id in Item("User \(id)") }
    _ = pod.resolve(holder).make?(1)
    _ = pod.resolve(holder).make?(2)
    pod.dispose()
    #expect(log.entries == ["holder", "User 2", "holder", "user 2", "USER 1"])
  }

  @Test("R19 R22 R26 R27 what a child keeps that holds a factory of a family goes before members that the root keeps")
  func child() {
    let log = log
    let user = declareUser()
    let title = Provider { _ in "root" }
    let holder = Provider("holder") { pod in
      Item(pod.resolve(title), make: pod.factory(user))
    } onDispose: {
      log.append($0.name)
    }
    let root = Pod()
    let child = root.makeChild { $0.overrideProvider(title, withValue: "child") }
    _ = child.resolve(holder).make?(1)
    _ = root.resolve(holder)
    _ = root.resolve(user(2))
    root.dispose()
    #expect(log.entries == ["root", "child", "user 2", "user 1"])
    withExtendedLifetime(child) {}
  }

  @Test("R22 R26 R27 graphs of families and of holders of their factories end as a plain reading of the rules says")
  func random() {
    for seed: UInt64 in 1...500 {
      var graph = RandomGraph(seed: seed)
      let (ended, expected) = graph.play()
      #expect(ended == expected, "seed \(seed)")
    }
  }
}

/// Families whose members are built from one another and hold factories of one another's families; and what the rules say of their end.
private struct RandomGraph {
  final class Item: Sendable {
    let serial: Int
    let makers: [@Sendable (Int) -> Item]
    init(_ serial: Int, _ makers: [@Sendable (Int) -> Item]) { (self.serial, self.makers) = (serial, makers) }
  }

  /// What is declared: the earlier members of which each one is built, and the families of which it holds factories.
  struct Recipe {
    let parts: [(family: Int, id: Int)]
    let handles: [Int]
    let isCleared: Bool
  }

  /// What was built.
  struct Built {
    let family: Int
    let parts: [Int]
  }

  private typealias Family = ProviderFamily<Provider<Item>, Int>

  private var random: SplitMix64
  private let recipes: [Recipe]
  private let built = Locked<[Int: Built]>([:])
  private let next = Locked(0)
  private let ended = Log<Int>()

  init(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let count = 2 + random.below(5)
    recipes = (0..<count).map { number in
      Recipe(
        parts: number == 0 ? [] : (0..<random.below(3)).map { _ in (random.below(number), random.below(3)) },
        handles: (0..<random.below(3)).map { _ in random.below(count) }, isCleared: random.chance(60))
    }
    self.random = random
  }

  private func declare(_ number: Int, _ families: Locked<[Family]>) -> Family {
    let (recipe, built, next, ended) = (recipes[number], built, next, ended)
    let build: @Sendable (Pod, Int) -> Item = { pod, _ in
      let families = families.withLock(\.self)
      let parts = recipe.parts.map { pod.resolve(families[$0.family]($0.id)).serial }
      let makers = recipe.handles.map { pod.factory(families[$0]) }
      // Counted when it is finished, as the rules count.
      let serial = next.withLock { number -> Int in
        number += 1
        return number
      }
      built.withLock { $0[serial] = Built(family: number, parts: parts) }
      return Item(serial, makers)
    }
    if recipe.isCleared {
      return Provider.family("\(number)", scope: OwnedScope(), build, onDispose: { ended.append($0.serial) })
    }
    return Provider.family("\(number)", build, onDispose: { ended.append($0.serial) })
  }

  /// Builds something, ends some of it, and returns the order and the one that is expected.
  mutating func play() -> (ended: [Int], expected: [Int]) {
    let families = Locked<[Family]>([])
    let declared = recipes.indices.map { declare($0, families) }
    families.withLock { $0 = declared }
    let pod = Pod()
    var items: [Item] = []
    for _ in 0..<(3 + random.below(10)) {
      if let item = items.randomElement(using: &random), let make = item.makers.randomElement(using: &random),
        random.chance(50)
      {
        items.append(make(random.below(3)))
      } else {
        items.append(pod.resolve(declared[random.below(declared.count)](random.below(3))))
      }
    }
    let isClear = random.chance(50)
    if isClear { pod.clearCachedInstances(forScope: OwnedScope()) } else { pod.dispose() }
    let order = ended.entries
    pod.dispose()
    families.withLock { $0 = [] }
    let built = built.withLock(\.self)
    let ending = built.filter { !isClear || recipes[$0.value.family].isCleared }
    return (order, expect(Set(ending.keys), of: built))
  }

  /// The order: dependents first, where handles made a loop only those that were built from the others, else the latest first.
  private func expect(_ ending: Set<Int>, of built: [Int: Built]) -> [Int] {
    func reach(_ start: Int, withHandles: Bool) -> Set<Int> {
      var found: Set<Int> = []
      var rest = [start]
      while let serial = rest.popLast() {
        guard let one = built[serial] else { continue }
        var others = one.parts
        if withHandles {
          let held = recipes[one.family].handles
          others += built.filter { held.contains($0.value.family) }.map(\.key)
        }
        for other in others where found.insert(other).inserted { rest.append(other) }
      }
      return found
    }
    let all = Dictionary(uniqueKeysWithValues: ending.map { ($0, reach($0, withHandles: true)) })
    let strict = Dictionary(uniqueKeysWithValues: ending.map { ($0, reach($0, withHandles: false)) })
    /// Whether one goes after the other.
    func waits(_ one: Int, for other: Int) -> Bool {
      guard one != other, all[other]?.contains(one) == true else { return false }
      return all[one]?.contains(other) != true || strict[other]?.contains(one) == true
    }
    var left = ending
    var order: [Int] = []
    while let first = left.filter({ one in !left.contains { waits(one, for: $0) } }).max() {
      left.remove(first)
      order.append(first)
    }
    return order
  }
}
