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

  @Test(
    "R15 R18 R19 R22 a member's override precedes that of its family in a builder's override scope",
    arguments: [false, true])
  func memberAfterScope(isBuiltBefore: Bool) {
    let family = Provider.family("family") { (_, number: Int) in Part("original") }
    let page = Provider("page") { pod in
      pod.withOverrides({ $0.overrideProvider(family) { _, _ in Part("scope") } }) {
        Part("page", [pod.resolve(family(0))])
      }
    }
    let root = Pod("root")
    let child = root.makeChild { $0.overrideProvider(family(0), withValue: Part("child")) }
    if isBuiltBefore { #expect(root.resolve(page).recipe == "page(scope)") }
    #expect(child.resolve(page).recipe == "page(child)")
    root.overrideProvider(family(0)) { _ in Part("member") }
    #expect(root.resolve(page).recipe == "page(member)")
    root.removeOverrideProvider(family(0))
    #expect(root.resolve(page).recipe == "page(scope)")
    root.overrideProvider(family(1)) { _ in Part("other") }
    #expect(root.isCached(page))
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
}
