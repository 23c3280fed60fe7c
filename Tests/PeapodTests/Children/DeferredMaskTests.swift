import Peapod
import Testing

/// Whether a child shares what holds a deferred dependency, once the root knows to what its deferred dependencies lead.
@Suite struct DeferredMaskTests {
  private final class Holder: Sendable {
    let make: @Sendable () -> Part
    init(_ make: @escaping @Sendable () -> Part) { self.make = make }
  }

  private let user = Provider("user") { _ in Part("nobody") }
  private let root = Pod("root")
  private let child: Pod

  init() {
    let (root, user) = (root, user)
    child = root.makeChild { $0.overrideProvider(user, withValue: Part("Ada")) }
    let known = Provider("known") { pod in Holder(pod.factory(Provider("other") { _ in Part("other") })) }
    // Both answers are cached, so from here on the root knows.
    #expect(child.resolve(known) === root.resolve(known))
    #expect(child.resolve(known) === root.resolve(known))
  }

  @Test("R10 R19 R26 a later answer to a deferred dependency counts", arguments: [false, true])
  func laterAnswer(isMember: Bool) {
    let user = user
    let page = Provider("page") { Part("page", [$0.resolve(user)]) }
    let pages = Provider.family("pages") { (pod, _: Int) in Part("page", [pod.resolve(user)]) }
    let holder = Provider("holder") { pod in
      guard isMember else { return Holder(pod.factory(page)) }
      let make = pod.factory(pages)
      return Holder { make(1) }
    }
    let top = Provider("top") { Holder($0.resolve(holder).make) }
    let first = root.resolve(top)
    #expect(child.resolve(top) === first)
    #expect(child.resolve(top) === first)
    #expect(first.make().recipe == "page(nobody)")
    #expect(child.resolve(top) !== first)
    #expect(child.resolve(top).make().recipe == "page(Ada)")
    #expect(child.resolve(top) === child.resolve(top))
    let other = root.makeChild { $0.overrideProvider(Provider("flag") { _ in 0 }, withValue: 1) }
    #expect(other.resolve(top) === first)
  }

  @Test(
    "R10 R19 R26 the first deferral of a provider counts, also that of a transient between", arguments: [false, true])
  func laterQuestion(isThroughTransient: Bool) {
    let user = user
    let part = Provider("part", scope: .alwaysCreateNew) { pod in Holder(pod.factory(user)) }
    let holder = Provider("holder") { pod in isThroughTransient ? pod.resolve(part) : Holder(pod.factory(user)) }
    let top = Provider("top") { Holder($0.resolve(holder).make) }
    #expect(root.resolve(top).make().recipe == "nobody")
    #expect(child.resolve(top).make().recipe == "Ada")
    #expect(child.resolve(top) === child.resolve(top))
  }

  @Test("R10 R19 R26 a question that another pod answers counts")
  func questionOfOtherPod() {
    let user = user
    let name = Provider("name") { Part("name", [$0.resolve(user)]) }
    let other = root.makeChild { $0.overrideProvider(user, withValue: Part("Bob")) }
    let late = Provider("late") { _ in Holder(other.factory(name)) }
    let top = Provider("top") { Holder($0.resolve(late).make) }
    #expect(root.resolve(top).make().recipe == "name(Bob)")
    // This child changes nothing of it, so from here on the root knows.
    let unconcerned = root.makeChild { $0.overrideProvider(Provider("flag") { _ in 0 }, withValue: 1) }
    #expect(unconcerned.resolve(top) === root.resolve(top))
    #expect(child.resolve(top) !== root.resolve(top))
    #expect(child.resolve(top) === child.resolve(top))
  }

  @Test("R10 R23 R26 the value of a Lazy counts after its instance was cleared")
  func valueOfLazy() {
    let user = user
    let page = Provider("page") { Part("page", [$0.resolve(user)]) }
    let holder = Provider("holder") { pod in
      let lazy = pod.lazy(page)
      return Holder { lazy.value }
    }
    let top = Provider("top") { Holder($0.resolve(holder).make) }
    #expect(root.resolve(top).make().recipe == "page(nobody)")
    root.clearCachedInstance(of: page)
    // Assigns a bit, so that all masks are computed again.
    let flag = Provider("flag") { _ in 0 }
    let other = root.makeChild { $0.overrideProvider(flag, withValue: 1) }
    #expect(other.resolve(top) === root.resolve(top))
    #expect(other.resolve(top) === root.resolve(top))
    #expect(child.resolve(top) !== root.resolve(top))
    #expect(child.resolve(top).make().recipe == "page(Ada)")
  }
}
