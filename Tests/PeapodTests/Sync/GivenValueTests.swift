import Peapod
import Testing

/// What `overrideProvider(_:withValue:)` gives, which small values are in place and larger ones in memory of their own.
@Suite struct GivenValueTests {
  private protocol Numbered: Sendable {
    init(_ tracked: Tracked)
    var tracked: Tracked { get }
    var sum: Int { get }
  }

  private struct Small: Numbered {
    let tracked: Tracked
    let first = 1
    let second = 2
    init(_ tracked: Tracked) { self.tracked = tracked }
    var sum: Int { first + second }
  }

  private struct Large: Numbered {
    let tracked: Tracked
    let numbers = (1, 1, 1)
    init(_ tracked: Tracked) { self.tracked = tracked }
    var sum: Int { numbers.0 + numbers.1 + numbers.2 }
  }

  enum Ending: CaseIterable, Sendable { case removed, replaced, allRemoved, podGone }

  /// Who asks first.
  private enum Asked: CaseIterable { case never, directly, byABuilder }

  @Test("R16 R27 a given value goes with its override", arguments: Ending.allCases, [false, true])
  func goesWithItsOverride(ending: Ending, isInChild: Bool) {
    goes(Small.self, ending, isInChild: isInChild)
    goes(Large.self, ending, isInChild: isInChild)
    goes(Tracked?.self, ending, isInChild: isInChild) { $0 }
  }

  private func goes<Value: Numbered>(_ type: Value.Type, _ ending: Ending, isInChild: Bool) {
    goes(type, ending, isInChild: isInChild) { Value($0) }
  }

  private func goes<Value: Sendable>(
    _ type: Value.Type, _ ending: Ending, isInChild: Bool, make: @Sendable (Tracked) -> Value
  ) {
    let population = Population()
    let given = Provider<Value> { _ in fatalError("it is given") }
    let user = Provider { pod in [pod.resolve(given)] }
    for asked in Asked.allCases {
      var pod: Pod? = isInChild ? Pod().makeChild { $0.overrideProvider(Provider { _ in 1 }, withValue: 2) } : Pod()
      pod?.overrideProvider(given, withValue: make(population.make()))
      if asked == .directly { _ = pod?.resolve(given) }
      if asked != .never {
        _ = pod?.resolve(user)
        #expect(pod?.isCached(given) == true)
      }
      #expect(population.live == 1)
      switch ending {
      case .removed: pod?.removeOverrideProvider(given)
      case .replaced: pod?.overrideProvider(given, withValue: make(Tracked()))
      case .allRemoved: pod?.removeAllOverrides()
      case .podGone: pod = nil
      }
      #expect(population.live == 0)
    }
  }

  @Test("R9 a given value stays for who looks at it, though its override goes meanwhile", arguments: [false, true])
  func staysWhileLookedAt(isReplaced: Bool) {
    stays(Small.self, isReplaced: isReplaced)
    stays(Large.self, isReplaced: isReplaced)
  }

  private func stays<Value: Numbered>(_ type: Value.Type, isReplaced: Bool) {
    let population = Population()
    let given = Provider<Value> { _ in Value(Tracked()) }
    let pod = Pod()
    pod.overrideProvider(given, withValue: Value(population.make()))
    // A new pod is not looked into without its lock before the second time.
    for _ in 0..<2 { _ = pod.resolve(given) }
    let seen = pod.withResolved(given) { value in
      if isReplaced {
        pod.overrideProvider(given, withValue: Value(Tracked()))
      } else {
        pod.removeOverrideProvider(given)
      }
      _ = pod.resolve(given)
      return (population.live, value.tracked.serial, value.sum)
    }
    #expect(seen == (1, 1, 3))
    #expect(population.live == 0)
  }

  @Test("R7 R15 values without or with little content are given like any other")
  func smallest() {
    let pod = Pod()
    let nothing = Provider<Int?> { _ in 1 }
    let void = Provider<Void> { _ in fatalError("it is given") }
    let text = Provider { _ in "built" }
    pod.overrideProvider(nothing, withValue: nil)
    pod.overrideProvider(void, withValue: ())
    pod.overrideProvider(text, withValue: "a text that does not fit into two words")
    for _ in 0..<3 {
      #expect(pod.resolve(nothing) == nil)
      pod.resolve(void)
      #expect(pod.resolve(text) == "a text that does not fit into two words")
    }
    #expect(pod.isCached(nothing) && pod.isCached(void))
    pod.removeAllOverrides()
    #expect(pod.resolve(nothing) == 1)
    #expect(pod.resolve(text) == "built")
  }

  @Test("R5 R15 what is given to a weak provider lives as long as the override")
  func weak() {
    let population = Population()
    let pod = Pod()
    let given = Provider<Tracked?>(scope: .weak) { _ in nil }
    pod.overrideProvider(given, withValue: population.make())
    #expect(pod.resolve(given)?.serial == 1)
    #expect(pod.isCached(given))
    #expect(pod.resolve(given)?.serial == 1)
    pod.removeOverrideProvider(given)
    #expect(population.live == 0)
    #expect(pod.resolve(given) == nil)
  }

  @Test("R18 a block gives what its pod does, and its copy goes with the block", arguments: [false, true])
  func block(isLarge: Bool) {
    let population = Population()
    let pod = Pod()
    let small = Provider<Small> { _ in Small(Tracked()) }
    let large = Provider<Large> { _ in Large(Tracked()) }
    pod.overrideProvider(small, withValue: Small(population.make()))
    pod.overrideProvider(large, withValue: Large(population.make()))
    pod.withOverrides({ _ in }) {
      #expect(pod.resolve(small).tracked.serial == 1)
      #expect(pod.resolve(large).tracked.serial == 2)
      pod.removeAllOverrides()
      #expect(pod.resolve(small).tracked.serial == 1)
    }
    #expect(population.live == 2)
    pod.removeAllOverrides()
    #expect(population.live == 0)
  }
}
