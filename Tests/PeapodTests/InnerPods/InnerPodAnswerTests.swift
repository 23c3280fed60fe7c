import Testing

@testable import Peapod

/// Rules 15, 19 and 26: what a builder makes in an inner pod is shared as the outer pod shares its dependencies.
@Suite struct InnerPodAnswerTests {
  private struct OwnScope: ProviderScope {}

  private final class Holder: Sendable {
    let call: @Sendable () -> String
    init(_ call: @escaping @Sendable () -> String) { self.call = call }
  }

  private final class PartHolder: Sendable {
    let call: @Sendable () -> Part
    init(_ call: @escaping @Sendable () -> Part) { self.call = call }
  }

  /// How a builder makes an inner pod.
  enum InnerPod: CaseIterable {
    case scope, child, scopeInChild, childInScope

    func run<Result>(_ pod: Pod, _ body: (Pod) -> Result) -> Result {
      switch self {
      case .scope: pod.withOverrides({ _ in }) { body(pod) }
      case .child: pod.withChild { body($0) }
      case .scopeInChild: pod.withChild { child in child.withOverrides({ _ in }) { body(child) } }
      case .childInScope: pod.withOverrides({ _ in }) { pod.withChild { body($0) } }
      }
    }
  }

  private let user = Provider("user") { _ in "nobody" }

  @Test(
    "R15 R19 R26 a deferred dependency of an instance in an inner pod keeps the holder in the child",
    arguments: InnerPod.allCases, [false, true])
  func deferredInInnerPod(inner: InnerPod, isLazy: Bool) {
    let user = user
    let greeter = Provider("greeter") { pod in
      if isLazy {
        let lazy = pod.lazy(user)
        return Holder { lazy.value }
      }
      return Holder(pod.factory(user))
    }
    let page = Provider("page") { pod in inner.run(pod) { $0.resolve(greeter) } }
    for isRootFirst in [false, true] {
      let root = Pod("root")
      let ada = root.makeChild("Ada") { $0.overrideProvider(user, withValue: "Ada") }
      let sibling = root.makeChild("sibling")
      if isRootFirst { #expect(root.resolve(page).call() == "nobody") }
      #expect(ada.resolve(page).call() == "Ada")
      #expect(sibling.resolve(page).call() == "nobody")
      #expect(root.resolve(page).call() == "nobody")
    }
  }

  /// Nothing retains the inner pod, so only the child's own answer counts.
  @Test("R19 R26 an answer that only the child has keeps the dependent of an inner instance in the child")
  func answerOfChildAlone() {
    let user = user
    let theme = Provider("theme") { _ in "light" }
    let greeting = Provider("greeting") { pod in "hello \(pod.resolve(user))" }
    let greeter = Provider("greeter") { pod in
      _ = pod.factory(greeting)
      return pod.resolve(theme)
    }
    let page = Provider("page") { pod in
      _ = pod.withChild(configure: { $0.overrideProvider(theme, withValue: "dark") }) { $0.resolve(greeter) }
      return Holder { pod.resolve(greeting) }
    }
    let root = Pod("root")
    let ada = root.makeChild("Ada") { $0.overrideProvider(user, withValue: "Ada") }
    #expect(ada.resolve(greeting) == "hello Ada")
    let pageOfAda = ada.resolve(page)
    #expect(pageOfAda.call() == "hello Ada")
    let eve = ada.makeChild("Eve") { $0.overrideProvider(user, withValue: "Eve") }
    #expect(eve.resolve(page) !== pageOfAda)
    #expect(root.resolve(page).call() == "hello nobody")
  }

  @Test("R10 R19 the stored pod of an instance of an inner child leads to the pod of the dependent")
  func storedPodOfInnerChild() {
    let user = user
    let session = Provider("session", scope: OwnScope()) { _ in "session" }
    let keeper = Provider("keeper") { pod in
      _ = pod.resolve(session)
      return Holder { pod.resolve(user) }
    }
    for isUsedInBuilder in [false, true] {
      let page = Provider("page") { pod in
        let holder = pod.withChild(owning: [OwnScope()]) { $0.resolve(keeper) }
        if isUsedInBuilder { _ = Holder { pod.resolve(session) } }
        return holder
      }
      let root = Pod("root")
      let ada = root.makeChild("Ada") { $0.overrideProvider(user, withValue: "Ada") }
      // The page depends on nothing that the child changes, so it lives in the root.
      #expect(ada.resolve(page).call() == "nobody")
      #expect(root.makeChild().resolve(page).call() == "nobody")
      #expect(root.resolve(page).call() == "nobody")
      #expect(root.resolve(page) === ada.resolve(page))
    }
  }

  @Test(
    "R15 R19 R26 a factory that was made in an override scope asks the pod after the scope", arguments: [false, true])
  func factoryAfterScope(isLazy: Bool) {
    let user = user
    let page = Provider("page") { pod in
      pod.withOverrides({ $0.overrideProvider(user, withValue: "inner") }) {
        if isLazy {
          let lazy = pod.lazy(user)
          return Holder { lazy.value }
        }
        return Holder(pod.factory(user))
      }
    }
    let root = Pod("root")
    let ada = root.makeChild("Ada") { $0.overrideProvider(user, withValue: "Ada") }
    #expect(ada.resolve(page).call() == "Ada")
    #expect(root.resolve(page).call() == "nobody")
    root.overrideProvider(user, withValue: "Root")
    #expect(root.resolve(page).call() == "Root")
    #expect(ada.resolve(page).call() == "Ada")
  }

  @Test("R15 R23 R26 the value of a Lazy that was made in an override scope counts after the scope")
  func lazyValueAfterScope() {
    let user = user
    let greeting = Provider("greeting", scope: OwnScope()) { pod in "hello \(pod.resolve(user))" }
    let page = Provider("page") { pod in
      pod.withOverrides({ $0.overrideProvider(greeting, withValue: "inner") }) {
        let lazy = pod.lazy(greeting)
        return Holder { lazy.value }
      }
    }
    let root = Pod("root")
    #expect(root.resolve(page).call() == "hello nobody")
    root.clearCachedInstances(forScope: OwnScope())
    root.overrideProvider(user, withValue: "Ada")
    #expect(root.resolve(page).call() == "hello Ada")
  }

  @Test("R15 R19 R20 R26 a deferred dependency of a scope that an inner child owns follows overrides")
  func factoryOfOwnedScope() {
    let owned = Provider("owned", scope: OwnScope()) { _ in "nobody" }
    let page = Provider("page") { pod in pod.withChild(owning: [OwnScope()]) { Holder($0.factory(owned)) } }
    let root = Pod("root")
    let ada = root.makeChild("Ada") { $0.overrideProvider(owned, withValue: "Ada") }
    #expect(ada.resolve(page).call() == "Ada")
    #expect(root.resolve(page).call() == "nobody")
    let sibling = root.makeChild("sibling", owning: [OwnScope()])
    #expect(sibling.resolve(page) === root.resolve(page))
    root.overrideProvider(owned, withValue: "Root")
    #expect(root.resolve(page).call() == "Root")
    #expect(ada.resolve(page).call() == "Ada")
  }

  @Test("R2 R8 R19 what a builder for a child resolves from the global root does not count where the child changes it")
  func globalRootThatChildOverrides() {
    let user = user
    let root = Pod("root")
    let page = Provider("page") { _ in Holder { root.resolve(user) } }
    let report = Provider("report") { _ in Part(root.resolve(user)) }
    let child = root.makeChild { $0.overrideProvider(user, withValue: "child") }
    let first = child.resolve(report)
    #expect(first.label == "nobody")
    #expect(child.resolve(report) === first)
    #expect(child.resolve(page) === child.resolve(page))
    child.overrideProvider(user, withValue: "child again")
    #expect(child.resolve(report).label == "nobody")
  }

  @Test("R15 R27 R31 an override and a refresh in the root reach what a child built there from the global root")
  func globalRootChangesLater() {
    let disposed = Locked<[String]>([])
    func note(_ name: String) -> @Sendable (Part) -> Void { { _ in disposed.withLock { $0.append(name) } } }
    let root = Pod("root")
    let user = Provider("user", { _ in Part("user") }, onDispose: note("user"))
    let report = Provider("report", { _ in Part("report", [root.resolve(user)]) }, onDispose: note("report"))
    let child = root.makeChild { $0.overrideProvider(user, withValue: Part("child")) }
    let first = child.resolve(report)
    #expect(root.resolve(report) === first)
    root.overrideProvider(user) { _ in Part("mock") }
    #expect(root.resolve(report).recipe == "report(mock)")
    root.removeOverrideProvider(user)
    #expect(root.resolve(report) === first)
    disposed.withLock { $0 = [] }
    root.refresh(user)
    #expect(disposed.withLock { $0 } == ["report", "user"])
  }

  @Test(
    "R19 R20 R26 a question of a builder does not count as a question that its inner child answers",
    arguments: [false, true])
  func sameQuestionInAndOutside(isRootFirst: Bool) {
    let owned = Provider("owned", scope: OwnScope()) { _ in Part("owned") }
    let holder = Provider("holder") { pod in
      pod.withChild(owning: [OwnScope()]) { _ = $0.factory(owned) }
      return PartHolder(pod.factory(owned))
    }
    let root = Pod("root")
    if isRootFirst { _ = root.resolve(holder) }
    let (one, two) = (root.makeChild(owning: [OwnScope()]), root.makeChild(owning: [OwnScope()]))
    #expect(one.resolve(holder).call() === one.resolve(owned))
    #expect(two.resolve(holder).call() === two.resolve(owned))
  }

  @Test("R2 R19 R20 a question that an inner child answers does not pull its holder into a child that owns the scope")
  func innerQuestionBesideAnswer() {
    let owned = Provider("owned", scope: OwnScope()) { _ in Part("owned") }
    let holder = Provider("holder") { pod in pod.withChild(owning: [OwnScope()]) { PartHolder($0.factory(owned)) } }
    let root = Pod("root")
    let child = root.makeChild(owning: [OwnScope()])
    _ = (child.resolve(owned), root.resolve(owned))
    #expect(child.resolve(holder) === root.resolve(holder))
  }

  @Test("R18 R23 a Lazy has a value of its own in the innermost of two override scopes")
  func lazyInNestedScopes() {
    let user = user
    let root = Pod("root")
    let lazy = root.lazy(user)
    let page = Provider("page") { pod in
      let before = lazy.value
      let inner = pod.withOverrides({ $0.overrideProvider(user, withValue: "inner") }) {
        "\(lazy.value) \(root.resolve(user))"
      }
      return "\(before) \(inner) \(lazy.value)"
    }
    let found = root.withOverrides({ $0.overrideProvider(user, withValue: "outer") }) { root.resolve(page) }
    #expect(found == "outer inner inner outer")
    #expect(lazy.value == "nobody")
  }

  @Test("R2 R18 an instance of an earlier child stays within a scope that the child does not use")
  func earlierChildInNestedScopes() {
    let user = user
    let theme = Provider("theme") { _ in "light" }
    let root = Pod("root")
    let isSame = root.withOverrides({ _ in }) {
      let child = root.makeChild { $0.overrideProvider(theme, withValue: "dark") }
      let page = Provider("page") { pod in Part("\(root.resolve(user)) \(pod.resolve(theme))") }
      let check = Provider("check") { pod in
        let before = child.resolve(page)
        return pod.withOverrides({ _ in }) { child.resolve(page) === before && child.resolve(page) === before }
      }
      return root.resolve(check)
    }
    #expect(isSame)
  }

  @Test("R18 R19 another tree's instance belongs to the innermost override scope in which it was built")
  func otherTreeInNestedScopes() {
    let user = user
    let (root, other) = (Pod("root"), Pod("other"))
    let greeting = Provider("greeting") { _ in "hello \(root.resolve(user))" }
    let page = Provider("page") { pod in
      let before = other.resolve(greeting)
      let inner = pod.withOverrides({ $0.overrideProvider(user, withValue: "inner") }) { other.resolve(greeting) }
      return "\(before), \(inner), \(other.resolve(greeting))"
    }
    let found = root.withOverrides({ $0.overrideProvider(user, withValue: "outer") }) { root.resolve(page) }
    #expect(found == "hello outer, hello inner, hello outer")
  }

  @Test("R19 R20 a child that owns the singletons shares what depends on a scope of an inner child")
  func childThatOwnsSingletons() {
    let owned = Provider("owned", scope: OwnScope()) { _ in Part("owned") }
    let page = Provider("page", scope: OwnedScope()) { pod in
      Part("page", [pod.withChild(owning: [OwnScope()]) { $0.resolve(owned) }])
    }
    let root = Pod("root")
    let child = root.makeChild(owning: [.singleton])
    #expect(child.resolve(page) === root.resolve(page))
  }

  @Test("R10 R18 a builder's own override scope applies to a global pod, also within an outer scope")
  func nestedScopeOnGlobalPod() {
    let theme = Provider("theme") { _ in "light" }
    let root = Pod("root")
    let page = Provider("page") { pod in
      pod.withOverrides({ $0.overrideProvider(theme, withValue: "dark") }) {
        "\(root.resolve(theme)) \(pod.resolve(theme)) \(root.makeChild().resolve(theme))"
      }
    }
    #expect(root.resolve(page) == "dark dark dark")
    #expect(root.withOverrides({ _ in }) { root.resolve(page) } == "dark dark dark")
    #expect(root.resolve(theme) == "light")
  }

  @Test("R18 R23 a Lazy of a builder for an earlier child does not use the override scope")
  func lazyForEarlierChild() {
    let user = user
    let root = Pod("root")
    let page = Provider("page") { pod in "\(pod.lazy(user).value) \(root.lazy(user).value)" }
    let child = root.makeChild { $0.overrideProvider(page) { pod in "child: \(pod.resolve(page))" } }
    root.withOverrides({ $0.overrideProvider(user, withValue: "mock") }) {
      #expect(child.resolve(page) == "child: nobody nobody")
      #expect(root.resolve(page) == "mock mock")
    }
  }

  @Test("R10 R18 a builder for a child of the outer scope does not use the inner scope on the same global pod")
  func childOfOuterScope() {
    let user = user
    let root = Pod("root")
    let page = Provider("page") { _ in "\(root.resolve(user))" }
    let other = Provider("other") { _ in 0 }
    root.withOverrides({ $0.overrideProvider(user, withValue: "outer") }) {
      let child = root.makeChild { $0.overrideProvider(other, withValue: 1) }
      let earlier = child.makeChild { $0.overrideProvider(other, withValue: 2) }
      root.withOverrides({ $0.overrideProvider(user, withValue: "inner") }) {
        #expect(root.resolve(user) == "inner")
        #expect(child.resolve(page) == "outer")
        #expect(earlier.resolve(page) == "outer")
        #expect(root.makeChild().resolve(page) == "inner")
        root.withOverrides({ $0.overrideProvider(user, withValue: "innermost") }) {
          #expect(root.resolve(page) == "innermost")
          #expect(child.resolve(page) == "outer")
        }
        #expect(root.resolve(page) == "inner")
      }
      #expect(root.resolve(page) == "outer")
    }
    #expect(root.resolve(page) == "nobody")
  }

  @Test(
    "R10 R31 what a builder for a child resolves from the global root is an ordinary dependency of an instance in the root"
  )
  func globalRootInBuilderForChild() {
    let root = Pod("root")
    let disposed = Locked<[String]>([])
    func note(_ name: String) -> @Sendable (Part) -> Void { { _ in disposed.withLock { $0.append(name) } } }
    let x = Provider("x", { _ in Part("x") }, onDispose: note("x"))
    let y = Provider("y", { _ in Part("y", [root.resolve(x)]) }, onDispose: note("y"))
    let z = Provider("z", { pod in Part("z", [pod.resolve(y)]) }, onDispose: note("z"))
    let child = root.makeChild { $0.overrideProvider(user, withValue: "child") }
    _ = child.resolve(y)
    _ = root.resolve(z)
    root.refresh(x)
    #expect(disposed.withLock { $0 } == ["z", "y", "x"])
    #expect(!root.isCached(y))
  }
}
