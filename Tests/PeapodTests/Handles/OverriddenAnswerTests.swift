import Peapod
import Testing

/// Rules 15, 19 and 26: holders of deferred dependencies when the override that concerned the answer is removed.
@Suite struct OverriddenAnswerTests {
  private final class Holder: Sendable {
    let make: @Sendable () -> Int
    init(_ make: @escaping @Sendable () -> Int) { self.make = make }
  }

  private final class Pair: Sendable {
    let part: @Sendable () -> Holder
    init(_ number: Int, _ part: @escaping @Sendable () -> Holder) { self.part = part }
  }

  private let one = Provider("one") { _ in 1 }
  private let other = Provider("other") { _ in 1 }
  private let third = Provider("third") { _ in 1 }
  private let disposed = Counter()

  /// A provider of holders of an answer, which counts the disposals.
  private func holder(of answer: Provider<Int>) -> Provider<Holder> {
    let disposed = disposed
    return Provider("holder") { pod in
      Holder(pod.factory(answer))
    } onDispose: { _ in
      disposed.increment()
    }
  }

  /// The original comes back although the record of the transient leads to an answer that was built from the override.
  @Test("R15 R26 a hidden holder through a transient comes back when the override is removed")
  func holderThroughTransient() {
    let one = one
    let answer = Provider("answer") { pod in pod.resolve(one) }
    let transient = Provider("transient", scope: .alwaysCreateNew) { pod in Holder(pod.factory(answer)) }
    let disposed = disposed
    let service = Provider("service") { pod in
      Holder(pod.resolve(transient).make)
    } onDispose: { _ in
      disposed.increment()
    }
    let pod = Pod()
    let original = pod.resolve(service)
    #expect(original.make() == 1)
    pod.overrideProvider(one, withValue: 2)
    #expect(pod.resolve(answer) == 2)
    pod.removeOverrideProvider(one)
    #expect(disposed.value == 0)
    #expect(pod.resolve(service) === original)
  }

  @Test("R15 R26 an override hides the dependent of a hidden holder that was cleared", arguments: [false, true])
  func clearedHiddenHolder(isCleared: Bool) {
    let (one, other) = (one, other)
    let answer = Provider("answer") { pod in pod.resolve(one) }
    let holder = Provider("holder") { pod in
      _ = pod.resolve(other)
      return Holder(pod.factory(answer))
    }
    let service = Provider("service") { pod in Holder(pod.resolve(holder).make) }
    let pod = Pod()
    _ = pod.resolve(answer)
    let original = pod.resolve(service)
    pod.overrideProvider(other, withValue: 2)
    if isCleared { pod.clearCachedInstance(of: holder) }
    pod.overrideProvider(one, withValue: 5)
    pod.removeOverrideProvider(other)
    #expect(pod.resolve(service) !== original)
    pod.removeOverrideProvider(one)
    #expect(pod.resolve(service) === original)
  }

  /// How a dependent comes to hold an instance that the pod does not cache.
  enum Uncached: CaseIterable {
    case transient, clearedBefore, clearedMeanwhile
  }

  @Test(
    "R15 R26 an override hides the dependent of a holder that no pod caches, as long as it concerns the former answer",
    arguments: Uncached.allCases)
  func dependentOfUncachedHolder(kind: Uncached) {
    let (one, other, third) = (one, other, third)
    let answer = Provider("answer") { pod in pod.resolve(one) + pod.resolve(other) + pod.resolve(third) }
    @Sendable func build(_ pod: Pod) -> Holder { Holder(pod.factory(answer)) }
    let holder =
      kind == .transient ? Provider("holder", scope: .alwaysCreateNew, build) : Provider("holder", build)
    let service = Provider("service") { pod in Holder(pod.resolve(holder).make) }
    let pod = Pod()
    _ = pod.resolve(answer)
    let original = pod.resolve(service)
    if kind == .clearedBefore { pod.clearCachedInstance(of: holder) }
    pod.overrideProvider(other, withValue: 2)
    if kind == .clearedMeanwhile { pod.clearCachedInstance(of: holder) }
    pod.overrideProvider(one, withValue: 5)
    pod.removeOverrideProvider(other)
    #expect(pod.resolve(service) !== original)
    pod.overrideProvider(third, withValue: 7)
    pod.removeOverrideProvider(one)
    #expect(pod.resolve(service) !== original)
    pod.removeOverrideProvider(third)
    #expect(pod.resolve(service) === original)
  }

  @Test(
    "R15 R19 R26 a child builds its own holder of a transient after an override of what that leads to",
    arguments: [false, true])
  func childAfterOverride(isOverridden: Bool) {
    let one = one
    let answer = Provider("answer") { pod in pod.resolve(one) }
    let transient = Provider("transient", scope: .alwaysCreateNew) { pod in Holder(pod.factory(answer)) }
    let holder = Provider("holder") { pod in
      let make = pod.factory(transient)
      return Holder { make().make() }
    }
    let pod = Pod()
    let original = pod.resolve(holder)
    #expect(original.make() == 1)
    if isOverridden {
      pod.overrideProvider(one, withValue: 2)
      #expect(pod.resolve(holder).make() == 2)
      pod.removeOverrideProvider(one)
      #expect(pod.resolve(holder) === original)
    }
    let child = pod.makeChild { $0.overrideProvider(one, withValue: 9) }
    #expect(child.resolve(holder).make() == 9)
  }

  @Test("R6 R15 R26 the removal of an override leaves a graph-scoped instance to its resolve")
  func graphScopedHolder() {
    let one = one
    let disposed = disposed
    let answer = Provider("answer") { pod in pod.resolve(one) }
    let holder = Provider("holder", scope: .graph) { pod in
      _ = pod.resolve(one)
      return pod.lazy(answer)
    } onDispose: { _ in
      disposed.increment()
    }
    let service = Provider("service") { pod in pod.resolve(holder) }
    let pod = Pod()
    let top = Provider("top") { _ in
      let value = pod.resolve(service)
      pod.overrideProvider(one, withValue: 2)
      let seen = value.value
      pod.removeOverrideProvider(one)
      return [seen, disposed.value]
    }
    #expect(pod.resolve(top) == [2, 0])
    #expect(disposed.value == 1)
  }

  /// The record of the original transient is hidden, so that it leads to the former answer alone.
  @Test("R15 R26 a transient that is built during an override follows the present answer")
  func transientBuiltDuringOverride() {
    let (one, other) = (one, other)
    let answer = Provider("answer") { pod in pod.resolve(one) > 1 ? pod.resolve(other) : 1 }
    let holder = Provider("holder", scope: .alwaysCreateNew) { pod in Holder(pod.factory(answer)) }
    let service = Provider("service") { pod in Holder(pod.resolve(holder).make) }
    let pod = Pod()
    #expect(pod.resolve(service).make() == 1)
    pod.overrideProvider(one, withValue: 2)
    let second = pod.resolve(service)
    #expect(second.make() == 1)
    pod.overrideProvider(other, withValue: 3)
    #expect(pod.resolve(service) !== second)
    #expect(pod.resolve(service).make() == 3)
  }

  /// The record of the transient leads to a second holder, which goes when the first comes back.
  @Test("R15 R26 a hidden instance comes back although what it holds a factory of was built again meanwhile")
  func holderOfTransient() {
    let one = one
    let answer = Provider("answer") { pod in pod.resolve(one) }
    let holder = holder(of: answer)
    let transient = Provider("transient", scope: .alwaysCreateNew) { pod in Holder(pod.resolve(holder).make) }
    let service = Provider("service") { pod in
      let make = pod.factory(transient)
      return Holder { make().make() }
    }
    let pod = Pod()
    let original = pod.resolve(service)
    #expect(original.make() == 1)
    pod.overrideProvider(one, withValue: 2)
    _ = pod.resolve(transient)
    pod.removeOverrideProvider(one)
    #expect(disposed.value == 1)
    #expect(pod.resolve(service) === original)
  }

  @Test("R15 R26 a hidden holder comes back after a second override of its hidden answer", arguments: [false, true])
  func twoOverrides(isFirstRemovedFirst: Bool) {
    let (one, other) = (one, other)
    let answer = Provider("answer") { pod in pod.resolve(one) + pod.resolve(other) }
    let holder = holder(of: answer)
    let pod = Pod()
    let original = pod.resolve(holder)
    #expect(original.make() == 2)
    pod.overrideProvider(one, withValue: 10)
    pod.overrideProvider(other, withValue: 20)
    if isFirstRemovedFirst { pod.removeOverrideProvider(one) } else { pod.removeOverrideProvider(other) }
    #expect(pod.resolve(holder).make() == (isFirstRemovedFirst ? 21 : 11))
    if isFirstRemovedFirst { pod.removeOverrideProvider(other) } else { pod.removeOverrideProvider(one) }
    #expect(pod.resolve(holder) === original)
    #expect(disposed.value == 1)
  }

  @Test("R15 R26 a hidden holder comes back after overrides that overlap, each removed before the next")
  func threeOverrides() {
    let (one, other, third) = (one, other, third)
    let answer = Provider("answer") { pod in pod.resolve(one) + pod.resolve(other) + pod.resolve(third) }
    let holder = holder(of: answer)
    let pod = Pod()
    let original = pod.resolve(holder)
    #expect(original.make() == 3)
    pod.overrideProvider(one, withValue: 10)
    pod.overrideProvider(other, withValue: 20)
    pod.removeOverrideProvider(one)
    pod.overrideProvider(third, withValue: 30)
    pod.removeOverrideProvider(other)
    #expect(pod.resolve(holder).make() == 32)
    pod.removeOverrideProvider(third)
    #expect(pod.resolve(holder) === original)
  }

  @Test(
    "R15 R26 a holder that was built under a removed override is disposed, although a second override hides it",
    arguments: [false, true])
  func hiddenHolderOfRemovedOverride(isAllRemoved: Bool) {
    let (one, other) = (one, other)
    let answer = Provider("answer") { pod in pod.resolve(one) }
    let holder = holder(of: answer)
    let pod = Pod()
    let original = pod.resolve(holder)
    #expect(original.make() == 1)
    pod.overrideProvider(one) { pod in pod.resolve(other) + 5 }
    #expect(pod.resolve(holder).make() == 6)
    pod.overrideProvider(other, withValue: 20)
    if isAllRemoved { pod.removeAllOverrides() } else { pod.removeOverrideProvider(one) }
    #expect(pod.resolve(holder) === original)
    #expect(disposed.value == 1)
    #expect(original.make() == 1)
    pod.removeOverrideProvider(other)
    #expect(pod.resolve(holder) === original)
    #expect(disposed.value == 1)
  }

  @Test("R15 R26 the removal of all overrides disposes a holder that was built under one and hidden by another")
  func hiddenHolderOfAllOverrides() {
    let (one, other) = (one, other)
    let answer = Provider("answer") { pod in pod.resolve(one) }
    let holder = holder(of: answer)
    let pod = Pod()
    pod.overrideProvider(one) { pod in pod.resolve(other) + 5 }
    #expect(pod.resolve(holder).make() == 6)
    pod.overrideProvider(other, withValue: 20)
    pod.removeAllOverrides()
    #expect(disposed.value == 1)
    #expect(pod.resolve(holder).make() == 1)
  }

  /// The factory of the answer leads to an instance that the removed override made.
  @Test("R15 R26 a hidden holder comes back although the removal disposes its former answer")
  func holderOfTakenAnswer() {
    let one = one
    let part = Provider("part") { pod in pod.resolve(one) }
    let answer = Provider("answer") { pod in Holder(pod.factory(part)) }
    let holder = Provider("holder") { pod in
      _ = pod.resolve(one)
      let make = pod.factory(answer)
      return Holder { make().make() }
    }
    let pod = Pod()
    let original = pod.resolve(holder)
    _ = pod.resolve(answer)
    pod.overrideProvider(one, withValue: 2)
    #expect(pod.resolve(part) == 2)
    pod.removeOverrideProvider(one)
    #expect(pod.resolve(holder) === original)
    #expect(original.make() == 1)
  }

  @Test("R15 R26 the oldest of the holders comes back, although its answers have gone", arguments: [false, true])
  func holderOfReplacedRecord(isTransient: Bool) {
    let (one, other) = (one, other)
    let answer =
      isTransient
      ? Provider("answer", scope: .alwaysCreateNew) { pod in pod.resolve(one) }
      : Provider("answer") { pod in pod.resolve(one) }
    let holder = holder(of: answer)
    let pod = Pod()
    let original = pod.resolve(holder)
    #expect(original.make() == 1)
    pod.overrideProvider(one) { pod in pod.resolve(other) + 5 }
    #expect(pod.resolve(holder).make() == 6)
    pod.overrideProvider(other, withValue: 20)
    if !isTransient { pod.clearCachedInstance(of: answer) }
    #expect(pod.resolve(holder).make() == 25)
    pod.removeOverrideProvider(one)
    pod.removeOverrideProvider(other)
    #expect(pod.resolve(holder) === original)
  }

  @Test("R15 R26 a hidden holder comes back after a second override of its visible answer")
  func secondOverrideOfVisibleAnswer() {
    let (one, other) = (one, other)
    let disposed = disposed
    let answer = Provider("answer") { pod in pod.resolve(other) }
    let service = Provider("service") { pod in
      _ = pod.resolve(one)
      return Holder(pod.factory(answer))
    } onDispose: { _ in
      disposed.increment()
    }
    let pod = Pod()
    let original = pod.resolve(service)
    #expect(original.make() == 1)
    pod.overrideProvider(one, withValue: 10)
    pod.overrideProvider(other, withValue: 20)
    pod.removeOverrideProvider(one)
    #expect(pod.resolve(service).make() == 20)
    pod.removeOverrideProvider(other)
    #expect(pod.resolve(service) === original)
    #expect(disposed.value == 1)
  }

  @Test("R15 R16 R26 a hidden holder comes back after its override was replaced")
  func replacedOverride() {
    let one = one
    let answer = Provider("answer") { pod in pod.resolve(one) }
    let holder = holder(of: answer)
    let pod = Pod()
    let original = pod.resolve(holder)
    #expect(original.make() == 1)
    for value in [10, 20, 30] {
      pod.overrideProvider(one, withValue: value)
      #expect(pod.resolve(holder).make() == value)
    }
    pod.removeOverrideProvider(one)
    #expect(pod.resolve(holder) === original)
    #expect(disposed.value == 3)
  }

  /// The removal disposes the part, which may have stored what was built from the override, and so the service too.
  @Test("R15 R26 R27 an instance that comes back holds no disposed part", arguments: [false, true])
  func hiddenInstanceOfTakenPart(isLazy: Bool) {
    let (one, disposed) = (one, disposed)
    let answer = Provider("answer") { pod in pod.resolve(one) }
    let part = holder(of: answer)
    let service = Provider("service") { pod in
      let lazy = pod.lazy(part)
      let part = isLazy ? nil : pod.resolve(part)
      return Pair(pod.resolve(one)) { part ?? lazy.value }
    } onDispose: { _ in
      disposed.increment()
    }
    let pod = Pod()
    let original = pod.resolve(service)
    #expect(original.part() === pod.resolve(part))
    pod.overrideProvider(one, withValue: 2)
    #expect(pod.resolve(part).make() == 2)
    pod.removeOverrideProvider(one)
    #expect(pod.resolve(service).part() === pod.resolve(part))
    #expect(pod.resolve(service).part().make() == 1)
    #expect(disposed.value == 2)
  }

  @Test(
    "R15 R23 R26 a hidden instance is built again if the value of a Lazy, which a transient made for it, is disposed"
  )
  func lazyOfTransient() {
    let one = one
    let answer = Provider("answer") { pod in Holder(pod.factory(one)) }
    let transient = Provider("transient", scope: .alwaysCreateNew) { pod in pod.lazy(answer) }
    let service = Provider("service") { pod in
      let lazy = pod.resolve(transient)
      return Pair(pod.resolve(one)) { lazy.value }
    }
    let pod = Pod()
    let original = pod.resolve(service)
    pod.overrideProvider(one, withValue: 2)
    _ = original.part()
    pod.removeOverrideProvider(one)
    #expect(pod.resolve(service).part() === pod.resolve(answer))
  }

  @Test("R15 R26 R27 what was built under a removed override is disposed with a part that its original replaces")
  func hiddenInstanceOfReplacedPart() {
    let one = one
    let answer = Provider("answer") { pod in Holder(pod.factory(one)) }
    let part = Provider("part") { pod in
      let make = pod.factory(answer)
      return Holder { make().make() }
    }
    let service = Provider("service") { pod in
      let part = pod.resolve(part)
      return Pair(0) { part }
    }
    let pod = Pod()
    let original = pod.resolve(part)
    _ = (pod.resolve(answer), pod.resolve(one))
    pod.overrideProvider(one, withValue: 2)
    _ = pod.resolve(service)
    pod.overrideProvider(answer) { _ in Holder { 3 } }
    pod.removeOverrideProvider(one)
    pod.removeOverrideProvider(answer)
    #expect(pod.resolve(part) === original)
    #expect(pod.resolve(service).part() === pod.resolve(part))
  }

  @Test("R19 R22 R26 an override of a member in a child reaches what depends on a holder of the family's factory")
  func memberThatNobodyBuilt() {
    let family = Provider.family { (_, number: Int) in number }
    let flag = Provider("flag") { _ in 1 }
    let maker = Provider("maker") { pod in
      let make = pod.factory(family)
      return Holder { make(1) }
    }
    let service = Provider("service") { pod in
      _ = pod.resolve(flag)
      return Holder(pod.resolve(maker).make)
    }
    let root = Pod("root")
    let child = root.makeChild("child") { $0.overrideProvider(flag, withValue: 2) }
    // No member is built yet.
    let first = child.resolve(service)
    child.overrideProvider(family(1), withValue: 10)
    #expect(child.resolve(maker).make() == 10)
    #expect(child.resolve(service).make() == 10)
    let own = root.resolve(maker)
    #expect(own.make() == 1)
    child.removeOverrideProvider(family(1))
    #expect(child.resolve(service) === first)
    root.overrideProvider(family(2), withValue: 20)
    #expect(root.resolve(maker) === own)
  }

  @Test("R15 R26 an override that concerns only the present answer does not hide a hidden holder")
  func overrideOfPresentAnswer() {
    let (one, other) = (one, other)
    let answer = Provider("answer") { pod in pod.resolve(one) == 1 ? 0 : pod.resolve(other) }
    let holder = holder(of: answer)
    let pod = Pod()
    let original = pod.resolve(holder)
    #expect(original.make() == 0)
    pod.overrideProvider(one, withValue: 2)
    #expect(pod.resolve(answer) == 1)
    pod.overrideProvider(other, withValue: 20)
    pod.removeOverrideProvider(one)
    #expect(pod.resolve(holder) === original)
    pod.removeOverrideProvider(other)
    #expect(pod.resolve(holder) === original)
    #expect(disposed.value == 0)
  }

  @Test("R15 R26 the removal of a second override takes the second holder alone")
  func secondHolder() {
    let (one, other, third) = (one, other, third)
    let answer = Provider("answer") { pod in
      (pod.resolve(one) == 1 ? 0 : pod.resolve(other)) + pod.resolve(third)
    }
    let holder = holder(of: answer)
    let pod = Pod()
    let original = pod.resolve(holder)
    #expect(original.make() == 1)
    pod.overrideProvider(one, withValue: 2)
    pod.overrideProvider(other, withValue: 20)
    #expect(pod.resolve(holder) !== original)
    #expect(pod.resolve(answer) == 21)
    pod.overrideProvider(third, withValue: 3)
    pod.removeOverrideProvider(other)
    pod.removeOverrideProvider(third)
    pod.removeOverrideProvider(one)
    #expect(pod.resolve(holder) === original)
    #expect(disposed.value == 1)
  }

  @Test("R15 R26 a holder that was built under one override comes back when another is removed, although a third stays")
  func holderBesideThirdOverride() {
    let (other, third) = (other, third)
    let base = Provider("base") { pod in pod.resolve(third) }
    let answer = Provider("answer") { pod in pod.resolve(base) + pod.resolve(other) }
    let holder = holder(of: answer)
    let pod = Pod()
    #expect(pod.resolve(holder).make() == 2)
    pod.overrideProvider(base, withValue: 5)
    let second = pod.resolve(holder)
    #expect(second.make() == 6)
    pod.overrideProvider(other, withValue: 10)
    pod.overrideProvider(third, withValue: 7)
    pod.removeOverrideProvider(other)
    #expect(pod.resolve(holder) === second)
  }

  @Test("R15 R19 R26 a child's holder stays when an override of something else is removed", arguments: [false, true])
  func unrelatedOverrideInChild(isCleared: Bool) {
    let (one, other) = (one, other)
    let answer = Provider("answer") { pod in pod.resolve(one) }
    let holder = holder(of: answer)
    let root = Pod("root")
    _ = (root.resolve(holder), root.resolve(answer))
    let child = root.makeChild("child") {
      $0.overrideProvider(one, withValue: 2)
      $0.overrideProvider(other, withValue: 2)
    }
    let known = child.resolve(holder)
    if isCleared { root.clearCachedInstance(of: answer) }
    #expect(child.resolve(holder) === known)
    child.removeOverrideProvider(other)
    #expect(child.resolve(holder) === known)
    #expect(disposed.value == 0)
  }

  @Test("R19 R26 a child builds an instance once, although the answer to what a dependency defers is built meanwhile")
  func answerBuiltMeanwhile() {
    let one = one
    let answer = Provider("answer") { pod in pod.resolve(one) }
    let holder = holder(of: answer)
    let root = Pod("root")
    let service = Provider("service") { pod in
      let make = pod.resolve(holder).make
      _ = root.resolve(answer)
      return Holder(make)
    }
    let child = root.makeChild("child") { $0.overrideProvider(one, withValue: 2) }
    let first = child.resolve(service)
    #expect(child.resolve(service) === child.resolve(service))
    #expect(child.resolve(service) === first)
  }
}
