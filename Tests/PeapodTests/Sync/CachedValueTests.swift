import Peapod
import Testing

/// Rule 7: every value is cached like any other.
@MainActor
struct CachedValueTests {
  private struct Large: Equatable, Sendable {
    var numbers = (0, 1, 2, 3, 4, 5, 6, 7, 8, 9)
    var text = "a string that is too long to be stored inline"
    static func == (left: Self, right: Self) -> Bool { left.text == right.text && left.numbers.9 == right.numbers.9 }
  }
  private enum Choice: Sendable, Equatable { case only, other(Int) }
  private enum Single: Sendable { case only }
  private protocol Service: Sendable {}

  private func expectBuiltOnce<Value: Sendable>(
    _ value: Value, sourceLocation: SourceLocation = #_sourceLocation, isSame: (Value) -> Bool
  ) throws {
    let (plain, throwing, main) = (Counter(), Counter(), Counter())
    let pod = Pod()
    let plainProvider = Provider { _ in
      plain.increment()
      return value
    }
    let throwingProvider = ThrowingProvider { _ in
      throwing.increment()
      return value
    }
    let mainProvider = MainActorProvider { _ in
      main.increment()
      return value
    }
    for _ in 0..<3 {
      #expect(isSame(pod.resolve(plainProvider)), sourceLocation: sourceLocation)
      #expect(pod.withResolved(plainProvider) { isSame(copy $0) }, sourceLocation: sourceLocation)
      #expect(isSame(try pod.resolve(throwingProvider)), sourceLocation: sourceLocation)
      #expect(isSame(pod.resolve(mainProvider)), sourceLocation: sourceLocation)
    }
    #expect([plain.value, throwing.value, main.value] == [1, 1, 1], sourceLocation: sourceLocation)
    #expect(pod.isCached(plainProvider), sourceLocation: sourceLocation)
    #expect(pod.isCached(throwingProvider), sourceLocation: sourceLocation)
    #expect(pod.isCached(mainProvider), sourceLocation: sourceLocation)
  }

  @Test("R7 nil is built once")
  func optionals() throws {
    try expectBuiltOnce(Int?.none) { $0 == nil }
    try expectBuiltOnce(Int?.some(3)) { $0 == 3 }
    try expectBuiltOnce(Int??.none) { $0 == .none }
    try expectBuiltOnce(Int??.some(nil)) { $0 == .some(nil) }
    try expectBuiltOnce(Tracked?.none) { $0 == nil }
    try expectBuiltOnce((any Service)?.none) { $0 == nil }
    try expectBuiltOnce((any Sendable)?.some(Int?.none as any Sendable)) { $0 != nil }
  }

  @Test("R7 values without content are built once")
  func emptyValues() throws {
    try expectBuiltOnce(()) { $0 == () }
    try expectBuiltOnce(Single.only) { $0 == .only }
    try expectBuiltOnce([Int]()) { $0.isEmpty }
  }

  @Test("R7 values of every shape are built once and come back whole")
  func shapes() throws {
    try expectBuiltOnce(Large()) { $0 == Large() }
    try expectBuiltOnce((1, "two", Large())) { $0.0 == 1 && $0.1 == "two" && $0.2 == Large() }
    try expectBuiltOnce(Choice.other(4)) { $0 == .other(4) }
    try expectBuiltOnce(UInt8(200)) { $0 == 200 }
    try expectBuiltOnce(String.self as Any.Type) { $0 == String.self }
    try expectBuiltOnce({ 5 } as @Sendable () -> Int) { $0() == 5 }
    let tracked = Tracked()
    try expectBuiltOnce(tracked as any Sendable) { $0 as? Tracked === tracked }
    try expectBuiltOnce([tracked, tracked]) { $0[1] === tracked }
  }

  @Test("R7 an override may answer nil, and that is cached too")
  func overriddenWithNil() {
    let built = Counter()
    let provider = Provider<Int?> { _ in 1 }
    let pod = Pod()
    #expect(pod.resolve(provider) == 1)
    pod.overrideProvider(provider) { _ in
      built.increment()
      return nil
    }
    for _ in 0..<3 { #expect(pod.resolve(provider) == nil) }
    #expect(built.value == 1)
    pod.overrideProvider(provider, withValue: nil)
    for _ in 0..<3 { #expect(pod.resolve(provider) == nil) }
    pod.removeOverrideProvider(provider)
    #expect(pod.resolve(provider) == 1)
  }

  @Test("R7 what a cached struct holds is let go with it")
  func contentsAreReleased() {
    struct Holder: Sendable {
      var number = 1
      var parts: [Tracked]
    }
    let population = Population()
    let provider = Provider { _ in Holder(parts: [population.make(), population.make()]) }
    let pod = Pod()
    #expect(pod.resolve(provider).parts.count == 2)
    #expect(population.live == 2)
    pod.clearCachedInstance(of: provider)
    #expect(population.live == 0)
  }
}
