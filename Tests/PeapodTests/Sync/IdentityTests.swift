import Peapod
import Testing

/// Rule 1: what makes two providers the same, and what their descriptions say.
struct IdentityTests {
  private struct Pair: Hashable, Sendable {
    var left: Int
    var right: String
  }

  @Test("R1 two declarations of one type are two providers")
  func declarationsAreDistinct() {
    let pod = Pod()
    let first = Provider { _ in Tracked() }
    let second = Provider { _ in Tracked() }
    #expect(first != second)
    #expect(first.id != second.id)
    #expect(pod.resolve(first) !== pod.resolve(second))
    #expect(pod.resolve(first) === pod.resolve(first))
  }

  @Test("R1 every run of one declaration makes a provider of its own, even under one name")
  func declarationsInALoopAreDistinct() {
    let pod = Pod()
    let providers = (0..<10).map { number in Provider("number", scope: FlowScope()) { _ in number } }
    #expect(providers.map { pod.resolve($0) } == Array(0..<10))
    #expect(Set(providers).count == 10)
    #expect(Set(providers.map(\.id)).count == 10)
  }

  @Test("R1 copies are the provider that they were copied from", arguments: SynchronousKind.allCases)
  @MainActor
  func copiesAreEqual(kind: SynchronousKind) {
    let pod = Pod()
    let original = kind.declare { _ in Tracked() }
    let copy = original
    let boxed = [original].map { $0 }[0]
    #expect(pod.resolve(original) === pod.resolve(copy))
    #expect(pod.resolve(original) === pod.resolve(boxed))
    #expect(AnyHashable(original.any) == AnyHashable(copy.any))
    #expect(AnyHashable(original.any).hashValue == AnyHashable(copy.any).hashValue)
    #expect(original.any.description == copy.any.description)
  }

  @Test("R1 providers serve as elements of sets and as keys")
  func providersAreHashable() {
    let first = Provider { _ in 1 }
    let second = Provider { _ in 2 }
    let names = [first: "first", second: "second"]
    #expect(names[first] == "first")
    #expect(names[second] == "second")
    #expect(Set([first, second, first]).count == 2)
    #expect(Dictionary(grouping: [first, second, first], by: \.id).mapValues(\.count) == [first.id: 2, second.id: 1])
  }

  @Test("R1 equal arguments name one member of a family")
  func membersAreEqualByArguments() {
    let users = Provider.family { (_, id: Int, name: String) in Tracked() }
    #expect(users(1, "a") == users(1, "a"))
    #expect(users(1, "a").id == users(1, "a").id)
    #expect(users(1, "a").hashValue == users(1, "a").hashValue)
    #expect(users(1, "a") != users(2, "a"))
    #expect(users(1, "a") != users(1, "b"))
    #expect(users(1, "a").id != users(1, "b").id)
  }

  @Test("R1 equal arguments of two families name two members")
  func familiesAreDistinct() {
    let pod = Pod()
    let first = Provider.family { (_, id: Int) in Tracked() }
    let second = Provider.family { (_, id: Int) in Tracked() }
    #expect(first(1) != second(1))
    #expect(first(1).id != second(1).id)
    #expect(pod.resolve(first(1)) !== pod.resolve(second(1)))
  }

  @Test("R1 members of the other kinds are equal by their arguments too")
  @MainActor
  func membersOfOtherKinds() throws {
    let pod = Pod()
    let throwing = ThrowingProvider.family { (_, pair: Pair) in Tracked() }
    let main = MainActorProvider.family { (_, pair: Pair) in Tracked() }
    let one = Pair(left: 1, right: "x")
    let other = Pair(left: 1, right: "y")
    #expect(throwing(one) == throwing(one))
    #expect(throwing(one) != throwing(other))
    #expect(main(one) == main(one))
    #expect(main(one) != main(other))
    #expect(try pod.resolve(throwing(one)) === pod.resolve(throwing(one)))
    #expect(try pod.resolve(throwing(one)) !== pod.resolve(throwing(other)))
    #expect(pod.resolve(main(one)) === pod.resolve(main(one)))
    #expect(pod.resolve(main(one)) !== pod.resolve(main(other)))
  }

  @Test("R1 members that are always built anew are equal by hashable arguments, too")
  func freshMembersAreEqual() {
    let family = Provider.family(scope: .alwaysCreateNew) { (_, id: Int) in Tracked() }
    #expect(family(1) == family(1))
    #expect(family(1) != family(2))
    let pod = Pod()
    let value = Tracked()
    pod.overrideProvider(family(1), withValue: value)
    #expect(pod.resolve(family(1)) === value)
    #expect(pod.resolve(family(2)) !== value)
  }

  @Test("R1 a description names the provider and its place", arguments: SynchronousKind.allCases)
  func namedDescription(kind: SynchronousKind) {
    let provider = kind.declare("session", fileID: "App/Session.swift", line: 42) { _ in Tracked() }
    #expect(provider.any.description.contains("session"))
    #expect(provider.any.description.contains("App/Session.swift:42"))
  }

  @Test("R1 a description names the value type where there is no name", arguments: SynchronousKind.allCases)
  func unnamedDescription(kind: SynchronousKind) {
    let provider = kind.declare(fileID: "App/Session.swift", line: 42) { _ in Tracked() }
    #expect(provider.any.description.contains("Tracked"))
    #expect(provider.any.description.contains("App/Session.swift:42"))
  }

  @Test("R1 the place of a declaration is the line that it stands in")
  func placeOfDeclaration() {
    let line: UInt = #line + 1
    let provider = Provider { _ in 1 }
    #expect(provider.description.contains("\(#fileID):\(line)"))
    #expect("\(provider)" == provider.description)
  }

  @Test("R1 a member's description names its family and its place")
  func memberDescription() {
    let users = Provider.family("user", fileID: "App/User.swift", line: 7) { (_, id: Int) in Tracked() }
    #expect(users(1).description.contains("user"))
    #expect(users(1).description.contains("App/User.swift:7"))
    let unnamed = ThrowingProvider.family(fileID: "App/User.swift", line: 8) { (_, id: Int) in Tracked() }
    #expect(unnamed(1).description.contains("Tracked"))
    #expect(unnamed(1).description.contains("App/User.swift:8"))
  }

  private struct FlowScope: ProviderScope {}
}
