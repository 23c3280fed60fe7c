import Peapod
import Testing

/// Rules 15, 19 and 26: holders of deferred dependencies when the override that concerned the answer is removed.
@Suite struct OverriddenAnswerTests {
  private final class Holder: Sendable {
    let make: @Sendable () -> Int
    init(_ make: @escaping @Sendable () -> Int) { self.make = make }
  }
  private struct AnswerScope: ProviderScope {}

  private let one = Provider("one") { _ in 1 }
  private let other = Provider("other") { _ in 1 }
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

  @Test("R15 R26 an override hides a holder that another override hides already", arguments: [true, false])
  func twoOverrides(isResolvedBetween: Bool) {
    let (one, other) = (one, other)
    let answer = Provider("answer") { pod in pod.resolve(one) + pod.resolve(other) }
    let holder = holder(of: answer)
    let pod = Pod()
    let original = pod.resolve(holder)
    #expect(original.make() == 2)
    pod.overrideProvider(one, withValue: 10)
    pod.overrideProvider(other, withValue: 10)
    pod.removeOverrideProvider(one)
    if isResolvedBetween {
      let between = pod.resolve(holder)
      #expect(between !== original)
      #expect(between.make() == 11)
    }
    #expect(pod.resolve(answer) == 11)
    pod.removeOverrideProvider(other)
    #expect(disposed.value == (isResolvedBetween ? 1 : 0))
    #expect(pod.resolve(holder) === original)
    #expect(original.make() == 2)
  }

  @Test("R15 R19 R26 a child's holder of an answer that was never used goes with the child's override")
  func unusedAnswerInChild() {
    let (one, other) = (one, other)
    let answer = Provider("answer") { pod in pod.resolve(one) }
    let holder = holder(of: answer)
    let root = Pod("root")
    let shared = root.resolve(holder)
    _ = root.resolve(answer)
    let child = root.makeChild("child") { $0.overrideProvider(other, withValue: 2) }
    #expect(child.resolve(holder) === shared)
    child.overrideProvider(one, withValue: 2)
    #expect(child.resolve(holder) !== shared)
    child.removeOverrideProvider(one)
    #expect(child.resolve(holder) === shared)
    #expect(disposed.value == 1)
  }

  @Test("R15 R19 R26 a child's holder does not come back with a later override of something else")
  func laterOverrideInChild() {
    let one = one
    let answer = Provider("answer") { pod in pod.resolve(one) }
    let holder = holder(of: answer)
    let root = Pod("root")
    let shared = root.resolve(holder)
    _ = root.resolve(answer)
    let child = root.makeChild("child") { $0.overrideProvider(one, withValue: 2) }
    #expect(child.resolve(holder) !== shared)
    child.removeOverrideProvider(one)
    child.overrideProvider(other, withValue: 2)
    #expect(child.resolve(holder) === shared)
  }

  @Test(
    "R15 R19 R26 a child's holder goes with the override when its answer was cleared before, and so does a dependent in a grandchild"
  )
  func clearedAnswerInChild() {
    let (one, other) = (one, other)
    let answer = Provider("answer") { pod in pod.resolve(one) }
    let holder = holder(of: answer)
    let page = Provider("page") { pod in pod.resolve(holder) }
    let root = Pod("root")
    let shared = root.resolve(page)
    _ = root.resolve(answer)
    let child = root.makeChild("child") { $0.overrideProvider(other, withValue: 2) }
    child.overrideProvider(one, withValue: 2)
    let grandchild = child.makeChild("grandchild")
    #expect(grandchild.resolve(page).make() == 2)
    child.clearCachedInstance(of: answer)
    child.removeOverrideProvider(one)
    #expect(grandchild.resolve(page) === shared)
    #expect(disposed.value == 1)
  }

  @Test("R15 R19 R26 a child's holder stays when an override of something else is removed")
  func unrelatedOverrideInChild() {
    let (one, other) = (one, other)
    let answer = Provider("answer") { pod in pod.resolve(one) }
    let owned = Provider("owned", scope: AnswerScope()) { _ in 1 }
    let (holder, ownedHolder) = (holder(of: answer), self.holder(of: owned))
    let root = Pod("root")
    _ = (root.resolve(holder), root.resolve(answer))
    let child = root.makeChild("child", owning: [AnswerScope()]) {
      $0.overrideProvider(one, withValue: 2)
      $0.overrideProvider(other, withValue: 2)
    }
    let known = (child.resolve(holder), child.resolve(ownedHolder))
    child.removeOverrideProvider(other)
    #expect(child.resolve(holder) === known.0)
    #expect(child.resolve(ownedHolder) === known.1)
    #expect(disposed.value == 0)
  }
}
