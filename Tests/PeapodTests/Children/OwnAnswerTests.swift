import Testing

@testable import Peapod

/// Whether a child shares what holds a deferred dependency of which only the child has an answer.
@Suite struct OwnAnswerTests {
  private final class Holder: Sendable {
    let make: @Sendable () -> Part
    init(_ make: @escaping @Sendable () -> Part) { self.make = make }
  }

  enum Kind: String, CaseIterable { case singleton, transient, member }
  enum Order: CaseIterable { case holderFirst, answerFirst, holderLast }

  private struct OwnScope: ProviderScope {}

  private let user = Provider("user") { _ in Part("nobody") }
  private let root = Pod("root")

  /// A resolve of the answer, and the provider of the holder.
  private func declare(_ kind: Kind, isLazy: Bool) -> (resolve: (Pod) -> Part, holder: Provider<Holder>) {
    let user = user
    if kind == .member {
      let pages = Provider.family("pages") { (pod, _: Int) in Part("page", [pod.resolve(user)]) }
      let holder = Provider("holder") { pod in
        if isLazy {
          let value = pod.lazy(pages(1))
          return Holder { value.value }
        }
        let make = pod.factory(pages)
        return Holder { make(1) }
      }
      return ({ $0.resolve(pages(1)) }, holder)
    }
    let build: @Sendable (Pod) -> Part = { Part("page", [$0.resolve(user)]) }
    let page = kind == .transient ? Provider("page", scope: .alwaysCreateNew, build) : Provider("page", build)
    let holder = Provider("holder") { pod in
      if isLazy {
        let value = pod.lazy(page)
        return Holder { value.value }
      }
      return Holder(pod.factory(page))
    }
    return ({ $0.resolve(page) }, holder)
  }

  @Test(
    "R15 R19 R26 a child builds its own holder once only the child has an answer", arguments: Kind.allCases,
    Order.allCases)
  func answerOfChild(_ kind: Kind, _ order: Order) {
    for isLazy in [false, true] {
      let (resolve, holder) = declare(kind, isLazy: isLazy)
      let top = Provider("top") { Holder($0.resolve(holder).make) }
      let root = Pod("root")
      if order == .holderFirst { _ = root.resolve(top) }
      let child = root.makeChild("child") { $0.overrideProvider(user, withValue: Part("Ada")) }
      if order != .answerFirst { #expect(child.resolve(top) === root.resolve(top)) }
      #expect(resolve(child).recipe == "page(Ada)")
      let shared = root.resolve(top)
      // So the root has a mask of all that the holder leads to.
      let unrelated = root.makeChild("unrelated") { $0.overrideProvider(Provider("flag") { _ in 0 }, withValue: 1) }
      #expect(unrelated.resolve(top) === shared)
      for _ in 0..<2 {
        #expect(child.resolve(top) !== shared)
        #expect(child.resolve(top) === child.resolve(top))
        #expect(child.resolve(top).make().recipe == "page(Ada)")
      }
      #expect(root.resolve(top) === shared)
      let other = root.makeChild("other") { $0.overrideProvider(user, withValue: Part("Bob")) }
      #expect(other.resolve(top) === shared)
      #expect(shared.make().recipe == "page(nobody)")
    }
  }

  @Test(
    "R19 R26 a grandchild shares the child's holder until the grandchild has an answer of its own",
    arguments: Kind.allCases)
  func grandchild(_ kind: Kind) {
    let (resolve, holder) = declare(kind, isLazy: false)
    let theme = Provider("theme") { _ in Part("light") }
    let top = Provider("top") { pod in
      _ = pod.resolve(theme)
      return Holder(pod.resolve(holder).make)
    }
    let child = root.makeChild("child") { $0.overrideProvider(theme, withValue: Part("dark")) }
    let shared = child.resolve(top)
    let grandchild = child.makeChild("grandchild") { $0.overrideProvider(user, withValue: Part("Ada")) }
    #expect(grandchild.resolve(top) === shared)
    _ = resolve(grandchild)
    #expect(grandchild.resolve(top) !== shared)
    #expect(grandchild.resolve(top).make().recipe == "page(Ada)")
    #expect(child.resolve(top) === shared)
  }

  @Test("R19 R26 a child shares the holder again once its own answer is cleared")
  func clearedAnswer() {
    let user = user
    let page = Provider("page") { Part("page", [$0.resolve(user)]) }
    let holder = Provider("holder") { Holder($0.factory(page)) }
    let shared = root.resolve(holder)
    let child = root.makeChild("child") { $0.overrideProvider(user, withValue: Part("Ada")) }
    _ = child.resolve(page)
    let own = child.resolve(holder)
    #expect(own !== shared)
    child.clearCachedInstance(of: page)
    #expect(child.resolve(holder) === own)
    let other = root.makeChild("other") { $0.overrideProvider(user, withValue: Part("Bob")) }
    _ = other.resolve(page)
    other.clearCachedInstance(of: page)
    #expect(other.resolve(holder) === shared)
  }

  @Test("R15 R26 answers count that a child has before and after its last override was removed")
  func removedOverride() {
    let user = user
    let flag = Provider("flag") { _ in 0 }
    let page = Provider("page", scope: OwnScope()) { Part("page", [$0.resolve(user)]) }
    let screen = Provider("screen") { Part("screen", [$0.resolve(page)]) }
    let holder = Provider("holder") { Holder($0.factory(screen)) }
    let shared = root.resolve(holder)
    let child = root.makeChild("child", owning: [OwnScope()]) { $0.overrideProvider(flag, withValue: 1) }
    #expect(child.resolve(holder) === shared)
    _ = child.resolve(screen)
    child.removeOverrideProvider(flag)
    #expect(child.resolve(holder) !== shared)
  }

  @Test("R15 R19 R26 a holder that stayed in a child counts once the child overrides again")
  func holderThatStayed() {
    let user = user
    let page = Provider("page") { Part("page", [$0.resolve(user)]) }
    let screen = Provider("screen") { Holder($0.factory(page)) }
    let top = Provider("top") { pod in
      let make = pod.factory(screen)
      return Holder { make().make() }
    }
    let shared = root.resolve(top)
    // So the child looks through its instances only at its second override.
    _ = root.resolve(Provider("other") { Holder($0.factory(page)) })
    _ = root.resolve(page)
    let child = root.makeChild("child") { $0.overrideProvider(user, withValue: Part("Ada")) }
    let screenOfChild = child.resolve(screen)
    child.removeOverrideProvider(user)
    #expect(child.resolve(top) === shared)
    child.overrideProvider(Provider("flag") { _ in 0 }, withValue: 1)
    #expect(child.resolve(screen) === screenOfChild)
    #expect(child.resolve(top) !== shared)
  }

  @Test("R19 R26 a child's own answer counts too once many providers have bits")
  func manyBits() {
    let user = user
    let numbers = (0..<70).map { number in Provider("number \(number)") { _ in number } }
    _ = root.makeChild { for number in numbers { $0.overrideProvider(number, withValue: 0) } }
    let page = Provider("page") { Part("page", [$0.resolve(user)]) }
    let holder = Provider("holder") { Holder($0.factory(page)) }
    let shared = root.resolve(holder)
    let unrelated = root.makeChild("unrelated") { $0.overrideProvider(Provider("flag") { _ in 0 }, withValue: 1) }
    let child = root.makeChild("child") { $0.overrideProvider(user, withValue: Part("Ada")) }
    #expect(child.resolve(holder) === shared)
    // So the root has a mask of the holder after the last bit was given.
    #expect(unrelated.resolve(holder) === shared)
    _ = child.resolve(page)
    #expect(child.resolve(holder) !== shared)
  }

  #if DEBUG
    @Test("R8 a child with other answers reads what holds a deferred dependency without a lock of the root")
    func takesNoLock() async {
      // In a process of its own, as in `SharedLinesTests`.
      await #expect(processExitsWith: .success) {
        let root = Pod("root")
        let user = Provider("user") { _ in Part("nobody") }
        let page = Provider("page") { Part("page", [$0.resolve(user)]) }
        let other = Provider("other") { Part("other", [$0.resolve(user)]) }
        let holder = Provider("holder") { Holder($0.factory(page)) }
        _ = root.resolve(Provider("also") { Holder($0.factory(other)) })
        _ = root.resolve(holder)
        let child = root.makeChild { $0.overrideProvider(user, withValue: Part("Ada")) }
        _ = child.resolve(other)
        // A first deferred dependency on a further provider, of which the child might have an instance.
        _ = root.resolve(Provider("later") { Holder($0.factory(user)) })
        _ = child.resolve(holder)
        let locks = root.state.lockAcquisitions
        for _ in 0..<100 { _ = child.resolve(holder) }
        #expect(root.state.lockAcquisitions == locks)
      }
    }
  #endif
}
