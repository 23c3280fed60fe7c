import Peapod
import Testing

/// Rule 22: one instance for each combination of arguments, overridable whole or by member, cleared with its scope.
@MainActor
struct FamilyTests {
  private struct FlowScope: ProviderScope {}

  /// All values hash alike.
  private struct Colliding: Hashable, Sendable {
    var number: Int
    func hash(into hasher: inout Hasher) { hasher.combine(0) }
  }

  private enum Page: Hashable, Sendable {
    case home
    case user(id: Int)
  }

  private final class NotHashable: Sendable {
    let number: Int
    init(_ number: Int) { self.number = number }
  }

  private final class Plain {
    var number = 0
  }

  private let population = Population()

  @Test("R22 each combination of arguments has one instance")
  func oneForEachArguments() {
    let population = population
    let family = Provider.family { (_, id: Int, name: String, isAdmin: Bool) in population.make() }
    let pod = Pod()
    let first = pod.resolve(family(1, "a", true))
    #expect(pod.resolve(family(1, "a", true)) === first)
    for other in [family(2, "a", true), family(1, "b", true), family(1, "a", false)] {
      #expect(pod.resolve(other) !== first)
      #expect(pod.resolve(other) === pod.resolve(other))
    }
    #expect(population.made == 4)
  }

  @Test("R22 a family is printed as its name and its place")
  func description() {
    let family = Provider.family("user") { (_, id: Int) in id }
    let (line, other) = (#line - 1, Provider.family { (_, id: Int) in id })
    #expect("\(family)" == "user (PeapodTests/FamilyTests.swift:\(line))")
    #expect("\(other)" == "Int (PeapodTests/FamilyTests.swift:\(line + 1))")
  }

  @Test("R22 texts that are equal name one member, however they are kept")
  func equalTexts() {
    let family = Provider.family { (_, text: String) in population.make() }
    let pod = Pod()
    for text in ["short", "a text that is too long to be kept within a string", "caf\u{E9}"] {
      let instance = pod.resolve(family(text))
      #expect(pod.resolve(family(text)) === instance)
      #expect(pod.resolve(family(String(text.unicodeScalars.map(Character.init)))) === instance)
      #expect(pod.resolve(family(String(decoding: Array(text.utf8), as: UTF8.self))) === instance)
    }
    #expect(pod.resolve(family("cafe\u{301}")) === pod.resolve(family("caf\u{E9}")))
    #expect(population.made == 3)
  }

  @Test("R22 a text that comes to lie where an equal one of another member lay is told apart")
  func textsInTheSamePlace() {
    let family = Provider.family { (_, text: String) in text }
    let pod = Pod()
    // Another text of the same length that is made and given up at each step, so that their memory is used again and again.
    func text(_ number: Int) -> String { String(repeating: Character(String(number % 10)), count: 40) }
    for step in 0..<2_000 {
      let number = step * 7 % 10
      #expect(pod.resolve(family(text(number))) == text(number))
      #expect(pod.resolve(family(text(number + 1))) == text(number + 1))
    }
  }

  @Test("R22 whole numbers of every size, their signs and truth values are told apart")
  func smallArguments() {
    let pod = Pod()
    let bytes = Provider.family { (_, number: Int8, other: UInt16) in "\(number) \(other)" }
    let flags = Provider.family { (_, flag: Bool, letter: Character) in "\(flag) \(letter)" }
    for _ in 0..<2 {
      for number in [Int8.min, -1, 0, 1, .max] {
        for other in [UInt16.min, 1, .max] { #expect(pod.resolve(bytes(number, other)) == "\(number) \(other)") }
      }
      for flag in [false, true] {
        for letter in ["a", "b", "\u{1F469}\u{200D}\u{1F467}"] as [Character] {
          #expect(pod.resolve(flags(flag, letter)) == "\(flag) \(letter)")
        }
      }
    }
    #expect(pod.resolve(Provider.family { (_, number: Int64) in "\(number)" }(-1)) == "-1")
  }

  @Test("R22 numbers and texts together are told apart by each of them")
  func severalArguments() {
    let pod = Pod()
    let three = Provider.family { (_, a: Int, b: String) in "\(a) \(b)" }
    let four = Provider.family { (_, a: String, b: String) in "\(a) \(b)" }
    let numbers = Provider.family { (_, a: Int, b: UInt8, c: Int, d: Bool) in "\(a) \(b) \(c) \(d)" }
    let five = Provider.family { (_, a: String, b: Int, c: String) in "\(a) \(b) \(c)" }
    let long = "a text that is too long to be kept within a string"
    let texts = ["", "0", "1", long, String(long.reversed())]
    for _ in 0..<2 {
      for a in texts {
        for (number, b) in texts.enumerated() {
          #expect(pod.resolve(three(number, a)) == "\(number) \(a)")
          #expect(pod.resolve(four(a, b)) == "\(a) \(b)")
          #expect(pod.resolve(five(a, number, b)) == "\(a) \(number) \(b)")
        }
      }
      for bits in 0..<16 {
        let (a, b, c, d) = (bits & 1, UInt8(bits >> 1 & 1), bits >> 2 & 1, bits >> 3 == 1)
        #expect(pod.resolve(numbers(a, b, c, d)) == "\(a) \(b) \(c) \(d)")
      }
    }
    let built = pod.graph.nodes.reduce(0) { $0 + $1.buildCount }
    #expect(built == 25 + 25 + 25 + 16)
  }

  @Test("R22 the builder gets the arguments, in order")
  func argumentsArrive() throws {
    let plain = Provider.family { (_, a: Int, b: String, c: [Double]) in "\(a) \(b) \(c)" }
    let throwing = ThrowingProvider.family { (_, a: Int, b: String) in "\(a) \(b)" }
    let main = MainActorProvider.family { (_, page: Page) in "\(page)" }
    let pod = Pod()
    #expect(pod.resolve(plain(1, "x", [0.5])) == "1 x [0.5]")
    #expect(try pod.resolve(throwing(2, "y")) == "2 y")
    #expect(pod.resolve(main(.user(id: 3))) == "user(id: 3)")
    #expect(pod.resolve(main(.home)) == "home")
  }

  @Test("R22 arguments with equal hashes and unequal values stay apart")
  func collidingArguments() {
    let built = Counter()
    let family = Provider.family { (_, argument: Colliding) in
      built.increment()
      return argument.number
    }
    let pod = Pod()
    for _ in 0..<2 {
      for number in 0..<50 { #expect(pod.resolve(family(Colliding(number: number))) == number) }
    }
    #expect(built.value == 50)
    pod.clearCachedInstance(of: family(Colliding(number: 7)))
    #expect((0..<50).filter { !pod.isCached(family(Colliding(number: $0))) } == [7])
  }

  @Test("R22 optional, empty and nested arguments are arguments like any other")
  func unusualArguments() {
    let optional = Provider.family { (_, id: Int?) in "\(String(describing: id))" }
    let many = Provider.family { (_, list: [String], pair: Set<Int>) in "\(list) \(pair.count)" }
    let pod = Pod()
    #expect(pod.resolve(optional(nil)) == "nil")
    #expect(pod.resolve(optional(1)) == "Optional(1)")
    #expect(pod.isCached(optional(nil)))
    #expect(pod.resolve(many([], [])) == "[] 0")
    #expect(pod.resolve(many(["a"], [1, 2])) == "[\"a\"] 2")
  }

  @Test("R22 members are asked for by builders like any provider")
  func membersAsParts() {
    let users = Provider.family { (_, id: Int) in Tracked() }
    let pages = Provider.family { (pod, id: Int) in Tracked(keeping: [pod.resolve(users(id))]) }
    let pod = Pod()
    #expect(pod.resolve(pages(1)).parts[0] as? Tracked === pod.resolve(users(1)))
    #expect(pod.resolve(pages(2)).parts[0] as? Tracked === pod.resolve(users(2)))
    let (first, second) = (pod.resolve(pages(1)), pod.resolve(pages(2)))
    let value = Tracked()
    pod.overrideProvider(users(1)) { _ in value }
    #expect(pod.resolve(pages(1)).parts[0] as? Tracked === value)
    #expect(pod.resolve(pages(2)) === second)
    pod.removeOverrideProvider(users(1))
    #expect(pod.resolve(pages(1)) === first)
  }

  @Test("R22 a family is cleared with its scope, by name, and by member")
  func clearing() {
    let population = population
    let scoped = Provider.family(scope: FlowScope()) { (_, id: Int) in population.make() }
    let singleton = Provider.family { (_, id: Int) in population.make() }
    let pod = Pod()
    func resolveAll() { for id in 1...3 { _ = (pod.resolve(scoped(id)), pod.resolve(singleton(id))) } }
    func cached() -> [Bool] { (1...3).map { pod.isCached(scoped($0)) } + (1...3).map { pod.isCached(singleton($0)) } }
    resolveAll()
    pod.clearCachedInstances(forScope: FlowScope())
    #expect(cached() == [false, false, false, true, true, true])
    resolveAll()
    pod.clearCachedInstances(of: singleton)
    #expect(cached() == [true, true, true, false, false, false])
    resolveAll()
    pod.clearCachedInstance(of: scoped(2))
    #expect(cached() == [true, false, true, true, true, true])
    #expect(population.live == 5)
    pod.clearCachedInstances(of: scoped)
    pod.clearCachedInstances(of: singleton)
    #expect(population.live == 0)
  }

  @Test("R22 clearing a family disposes each member once, the latest first")
  func clearingDisposes() {
    let disposed = Log(of: Int.self)
    let family = Provider.family { (_, id: Int) in
      id
    } onDispose: {
      disposed.append($0)
    }
    let pod = Pod()
    for id in [3, 1, 2] { _ = pod.resolve(family(id)) }
    pod.clearCachedInstances(of: family)
    #expect(disposed.entries == [2, 1, 3])
    pod.clearCachedInstances(of: family)
    pod.dispose()
    #expect(disposed.count == 3)
  }

  @Test("R22 an override of the whole family gets the arguments, and its members the originals back")
  func overrideWhole() {
    let population = population
    let family = Provider.family { (_, id: Int) in population.make() }
    let whole = Provider { pod in population.make(keeping: [pod.resolve(family(1))]) }
    let pod = Pod()
    let original = pod.resolve(whole)
    let asked = Log(of: Int.self)
    pod.overrideProvider(family) { _, id in
      asked.append(id)
      return population.make()
    }
    #expect(!pod.isCached(family(1)))
    #expect(pod.resolve(whole) !== original)
    #expect(pod.resolve(family(1)) === pod.resolve(family(1)))
    #expect(pod.resolve(family(2)) !== pod.resolve(family(1)))
    #expect(asked.entries == [1, 2])
    pod.removeOverrideProvider(family)
    #expect(pod.resolve(whole) === original)
    #expect(pod.resolve(family(1)).serial == 1)
    #expect(!pod.isCached(family(2)))
    #expect(population.liveSerials == [1, 2])
  }

  @Test("R22 a member's override wins over its family's", arguments: [true, false])
  func memberWins(isMemberFirst: Bool) {
    let family = Provider.family { (_, id: Int) in "original" }
    let pod = Pod()
    if isMemberFirst { pod.overrideProvider(family(1), withValue: "member") }
    pod.overrideProvider(family) { _, _ in "family" }
    if !isMemberFirst { pod.overrideProvider(family(1), withValue: "member") }
    #expect([pod.resolve(family(1)), pod.resolve(family(2))] == ["member", "family"])
    pod.removeOverrideProvider(family(1))
    #expect(pod.resolve(family(1)) == "family")
    pod.overrideProvider(family(1), withValue: "member")
    pod.removeOverrideProvider(family)
    #expect([pod.resolve(family(1)), pod.resolve(family(2))] == ["member", "original"])
    pod.overrideProvider(family) { _, _ in "family" }
    pod.removeAllOverrides()
    #expect([pod.resolve(family(1)), pod.resolve(family(2))] == ["original", "original"])
  }

  @Test("R22 a member that its own override hides stays as its family's override made it")
  func memberUnderFamily() {
    let population = population
    let family = Provider.family { (_, id: Int) in population.make() }
    let pod = Pod()
    #expect(pod.resolve(family(1)).serial == 1)
    pod.overrideProvider(family) { _, _ in population.make() }
    #expect(pod.resolve(family(1)).serial == 2)
    pod.overrideProvider(family(1)) { _ in population.make() }
    #expect(pod.resolve(family(1)).serial == 3)
    pod.removeOverrideProvider(family(1))
    #expect(pod.resolve(family(1)).serial == 2)
    pod.removeOverrideProvider(family)
    #expect(pod.resolve(family(1)).serial == 1)
    #expect(population.liveSerials == [1])
  }

  @Test("R22 families of the other kinds are overridden whole and by member")
  func otherKinds() throws {
    let throwing = ThrowingProvider.family { (_, id: Int) in "original" }
    let main = MainActorProvider.family { (_, id: Int) in "original" }
    let pod = Pod()
    pod.overrideProvider(throwing) { _, id in throw Stuck("\(id)") }
    pod.overrideProvider(throwing(1)) { _ in "member" }
    pod.overrideProvider(main) { _, id in "family \(id)" }
    pod.overrideProvider(main(1), withValue: "member")
    #expect(try pod.resolve(throwing(1)) == "member")
    #expect(throws: Stuck.self) { try pod.resolve(throwing(2)) }
    #expect([pod.resolve(main(1)), pod.resolve(main(2))] == ["member", "family 2"])
    pod.removeOverrideProvider(throwing)
    pod.removeOverrideProvider(main)
    #expect(try pod.resolve(throwing(2)) == "original")
    #expect([pod.resolve(main(1)), pod.resolve(main(2))] == ["member", "original"])
    pod.removeAllOverrides()
    #expect(try pod.resolve(throwing(1)) == "original")
    #expect(pod.resolve(main(1)) == "original")
  }

  @Test("R22 arguments that are not hashable make a provider of its own at each call")
  func notHashable() {
    let family = Provider.family(scope: .alwaysCreateNew) { (_, argument: NotHashable) in argument.number }
    let plain = Provider.family(scope: .alwaysCreateNew) { (_, argument: NotHashable) in Plain() }
    let argument = NotHashable(4)
    #expect(family(argument) != family(argument))
    let pod = Pod()
    #expect(pod.resolve(family(argument)) == 4)
    #expect(pod.resolve(plain(argument)) !== pod.resolve(plain(argument)))
    pod.overrideProvider(family) { _, argument in argument.number + 100 }
    #expect(pod.resolve(family(argument)) == 104)
    pod.removeOverrideProvider(family)
    #expect(pod.resolve(family(argument)) == 4)
  }

  @Test("R22 R27 what is cleared leaves its arguments behind nowhere")
  func argumentsAreReleased() {
    let population = population
    final class Argument: Hashable, Sendable {
      let tracked: Tracked
      init(_ tracked: Tracked) { self.tracked = tracked }
      static func == (left: Argument, right: Argument) -> Bool { left.tracked.serial == right.tracked.serial }
      func hash(into hasher: inout Hasher) { hasher.combine(tracked.serial) }
    }
    let family = Provider.family(scope: FlowScope()) { (_, argument: Argument) in argument.tracked.serial }
    let pod = Pod()
    for number in 1...100 { #expect(pod.resolve(family(Argument(population.make()))) == number) }
    #expect(population.live == 100)
    pod.clearCachedInstances(forScope: FlowScope())
    #expect(population.live == 0)
  }
}
