import Peapod
import Testing

/// A child that asks twice, with nothing in between, receives one singleton.
@Suite struct StableAnswerTests {
  private struct OwnScope: ProviderScope {}

  @Test(
    "R2 R19 R26 the answer to a deferred dependency that the builder makes itself counts for the place of the holder")
  func answerOfBuilder() {
    let root = Pod("root")
    let theme = Provider("theme") { _ in Part("theme") }
    let style = Provider("style") { pod in Part("style", [pod.lazy(theme).value]) }
    let page = Provider("page") { _ in Part("page", [root.resolve(style)]) }
    let report = Provider("report") { pod in
      Part("report", [pod.perUse(page).use { $0 }, root.resolve(page)])
    }
    let child = root.makeChild { $0.overrideProvider(theme, withValue: Part("dark")) }
    let first = child.resolve(report)
    #expect(first.recipe == "report(page(style(theme)),page(style(theme)))")
    #expect(child.resolve(report) === first)
    #expect(!root.isCached(report))
  }

  @Test("R2 R19 R20 a scope that a kept inner child owns does not count for what lives there")
  func scopeOfInnerChild() {
    let owned = Provider("owned", scope: OwnScope()) { _ in Part("owned") }
    let theme = Provider("theme") { _ in Part("theme") }
    let page = Provider("page", scope: .graph) { pod in Part("page", [pod.resolve(theme)]) }
    let kept = Locked<[Pod]>([])
    let report = Provider("report") { pod in
      let inner = pod.makeChild("inner", owning: [OwnScope()]) { inner in
        inner.overrideProvider(theme) { Part("dark", [$0.lazy(owned).value]) }
      }
      kept.withLock { $0.append(inner) }
      return Part("report", [inner.factory(page)()])
    }
    let root = Pod("root")
    let child = root.makeChild("child", owning: [OwnScope()])
    let first = child.resolve(report)
    #expect(first.recipe == "report(page(dark(owned)))")
    #expect(child.resolve(report) === first)
    #expect(root.resolve(report) === first)
  }

  @Test(
    "R2 R19 R26 what an inner child overrides does not count for what looked for a cached instance there",
    arguments: [false, true])
  func overrideOfInnerChild(looks: Bool) {
    let theme = Provider("theme") { _ in Part("theme") }
    let style = Provider("style") { pod in
      _ = pod.factory(theme)
      return Part("style")
    }
    let page = Provider("page") { pod in
      Part("page", [(looks ? pod.cachedInstance(of: style) : nil) ?? pod.resolve(style)])
    }
    let kept = Locked<[Pod]>([])
    let report = Provider("report") { pod in
      let inner = pod.makeChild("inner") { $0.overrideProvider(theme, withValue: Part("dark")) }
      kept.withLock { $0.append(inner) }
      return Part("report", [inner.resolve(page)])
    }
    let root = Pod("root")
    let child = root.makeChild("child") { $0.overrideProvider(theme, withValue: Part("light")) }
    let first = child.resolve(report)
    #expect(child.resolve(report) === first)
    #expect(root.resolve(report) === first)
  }

  @Test(
    "R19 R20 a scope that an inner child owns does not count in an override scope on that child either",
    arguments: [false, true])
  func scopeOfInnerChildInOverrideScope(isOwner: Bool) {
    let owned = Provider("owned", scope: OwnScope()) { _ in Part("owned") }
    let page = Provider("page") { pod in
      pod.withChild(owning: isOwner ? [OwnScope()] : []) { inner in
        inner.withOverrides({ _ in }) { Part("page", [inner.resolve(owned)]) }
      }
    }
    let root = Pod("root")
    let child = root.makeChild(owning: [OwnScope()])
    #expect((child.resolve(page) === root.resolve(page)) == isOwner)
  }

  @Test("R22 R28 a member from a builder's override scope is marked when its family is overridden")
  func markedMember() {
    let family = Provider.family("family") { (_, number: Int) in Part("original") }
    let page = Provider("page") { pod in pod.withOverrides({ _ in }) { Part("page", [pod.resolve(family(1))]) } }
    let pod = Pod()
    _ = pod.resolve(page)
    pod.overrideProvider(family) { _, _ in Part("mock") }
    func isMarked() -> Bool? { pod.graph.nodes.first { $0.provider.name == "family(1)" }?.isOverridden }
    #expect(isMarked() == true)
    _ = pod.resolve(page)
    #expect(isMarked() == true)
  }

  @Test("R2 R19 a child receives one singleton although the builder uses another child", arguments: [false, true])
  func otherChild(isDirect: Bool) {
    let user = Provider("user") { _ in Part("nobody") }
    let name = Provider("name") { Part("name", [$0.resolve(user)]) }
    let root = Pod("root")
    let ada = root.makeChild { $0.overrideProvider(user, withValue: Part("Ada")) }
    let bob = root.makeChild { $0.overrideProvider(user, withValue: Part("Bob")) }
    let page = Provider("page") { _ in Part("page", [isDirect ? ada.resolve(user) : ada.resolve(name)]) }
    #expect(bob.resolve(page) === bob.resolve(page))
    #expect(ada.resolve(page) === ada.resolve(page))
  }

  @Test("R2 R10 a singleton stays although a dependency used the current pod within its builder")
  func currentPodOfBuilder() {
    let user = Provider("user") { _ in Part("nobody") }
    let page = Provider("page") { _ in Part("page", [Pod.current.resolve(user)]) }
    let report = Provider("report") { pod in
      pod.withChild(configure: { $0.overrideProvider(user, withValue: Part("Ada")) }) { _ in
        Part("report", [pod.resolve(page)])
      }
    }
    let root = Pod("root")
    #expect(root.resolve(report) === root.resolve(report))
    // The dependency itself used a child that has ended.
    #expect(Pod.$current.withValue(root) { root.resolve(page).recipe } == "page(nobody)")
    #expect(root.resolve(page) === root.resolve(page))
    #expect(root.resolve(report) === root.resolve(report))
  }

  @Test("R19 R20 a scope that a common ancestor owns is not that of a kept inner child")
  func scopeOfCommonAncestor() {
    let theme = Provider("theme") { _ in Part("theme") }
    let owned = Provider("owned", scope: OwnScope()) { Part("owned", [$0.resolve(theme)]) }
    let page = Provider("page") { Part("page", [$0.resolve(owned)]) }
    let flag = Provider("flag") { _ in 0 }
    final class Holder: Sendable {
      let make: @Sendable () -> Part
      init(_ make: @escaping @Sendable () -> Part) { self.make = make }
    }
    let kept = Locked<[Pod]>([])
    let holder = Provider("holder") { pod in
      _ = pod.resolve(flag)
      let inner = pod.makeChild { $0.overrideProvider(theme, withValue: Part("dark")) }
      kept.withLock { $0.append(inner) }
      return Holder(inner.factory(page))
    }
    let middle = Pod("root").makeChild(owning: [OwnScope()]) { $0.overrideProvider(flag, withValue: 1) }
    let child = middle.makeChild(owning: [OwnScope()])
    let first = middle.resolve(holder)
    _ = first.make()
    #expect(child.resolve(holder) !== first)
    #expect(child.resolve(holder) === child.resolve(holder))
  }
}
