import Peapod
import Testing

/// Rules 19, 23 to 26: a `Lazy`, a factory, a `PerUse` and fresh instances that a builder makes with an inner pod.
@Suite struct InnerPodDeferredTests {
  private let site = Site()

  /// The ways in which a builder gets the page with an inner pod, other than to resolve it.
  enum Way: String, CaseIterable, Sendable {
    case lazy, factory, perUse, fresh, withResolved

    func page(_ site: Site, in pod: Pod) -> String {
      switch self {
      case .lazy: pod.lazy(site.page).value
      case .factory: pod.factory(site.page)()
      case .perUse: pod.perUse(site.page).use { $0 }
      case .fresh: pod.withFreshInstance(of: site.page) { $0 }
      case .withResolved: pod.withResolved(site.page) { page in String(describing: copy page) }
      }
    }
  }

  @Test("R19 R26 used by the builder at once, within the operation", arguments: InnerPod.allCases, Way.allCases)
  func usedAtOnce(_ inner: InnerPod, _ way: Way) async {
    let site = site
    let dark = Provider("dark") { pod in
      inner.use(of: pod, keeper: site.keeper, configure: site.darken) { way.page(site, in: $0) }
    }
    await site.expectOwn {
      "\($0) in dark"
    } resolve: {
      $0.resolve(dark)
    }
  }

  /// A holder of a page that it gets later.
  private final class Holder: Sendable {
    let pod: Pod?
    let page: @Sendable () -> String
    init(_ pod: Pod? = nil, page: @escaping @Sendable () -> String) { (self.pod, self.page) = (pod, page) }
  }

  @Test(
    "R19 R26 stored, with the child kept: after a request got its holder, it never sees another request's user",
    arguments: [false, true], [false, true])
  func storedWithChild(isLazy: Bool, isUsedInBuilder: Bool) {
    let site = site
    let holder = Provider("holder") { pod in
      let child = pod.makeChild("inner", configure: site.darken)
      if isUsedInBuilder { _ = child.resolve(site.page) }
      guard isLazy else { return Holder(child, page: child.factory(site.page)) }
      let lazy = child.lazy(site.page)
      return Holder(child) { lazy.value }
    }
    for isRootFirst in [false, true] {
      let root = Pod("root")
      if isRootFirst { #expect(root.resolve(holder).page() == "nobody in dark") }
      let pods = ["Ada", "Bob", "Eve"].map { site.request($0, of: root) }
      for pod in pods + pods {
        // A holder that knows nothing of the user yet may be the root's, which then answers for the root.
        let allowed =
          isUsedInBuilder || isRootFirst ? ["\(pod.name) in dark"] : ["\(pod.name) in dark", "nobody in dark"]
        #expect(allowed.contains(pod.resolve(holder).page()), "\(pod.name)")
      }
      #expect(root.resolve(holder).page() == "nobody in dark")
    }
  }

  @Test(
    "R19 R26 stored, of a holder that is itself resolved in the inner child", arguments: InnerPod.children,
    [false, true])
  func holderInside(_ inner: InnerPod, isLazy: Bool) async {
    let site = site
    let holder = Provider("holder") { pod in
      guard isLazy else { return Holder(page: pod.factory(site.page)) }
      let lazy = pod.lazy(site.page)
      return Holder { lazy.value }
    }
    let dark = Provider("dark") { pod in
      inner.use(of: pod, keeper: site.keeper, configure: site.darken) { inside in
        _ = inside.resolve(site.page)
        return inside.resolve(holder).page()
      }
    }
    await site.expectOwn {
      "\($0) in dark"
    } resolve: {
      $0.resolve(dark)
    }
  }

  @Test("R19 R26 of a member of a family", arguments: InnerPod.allCases)
  func familyFactory(_ inner: InnerPod) async {
    let site = site
    let card = Provider.family("card") { (pod, number: Int) in "card \(number) of \(pod.resolve(site.page))" }
    let dark = Provider("dark") { pod in
      inner.use(of: pod, keeper: site.keeper, configure: site.darken) { inside in
        let make = inside.factory(card)
        return make(1) + make(2) + make(1)
      }
    }
    await site.expectOwn { user in
      [1, 2, 1].map { "card \($0) of \(user) in dark" }.joined()
    } resolve: {
      $0.resolve(dark)
    }
  }

  @Test("R19 R25 a fresh instance whose builder makes an inner pod", arguments: InnerPod.allCases)
  func freshWithInnerPod(_ inner: InnerPod) async {
    let site = site
    let dark = Provider("dark") { pod in
      inner.use(of: pod, keeper: site.keeper, configure: site.darken) { $0.resolve(site.page) }
    }
    await site.expectOwn {
      "\($0) in dark"
    } resolve: { pod in
      pod.withFreshInstance(of: dark) { $0 }
    }
    await site.expectOwn {
      "\($0) in dark"
    } resolve: { pod in
      pod.perUse(dark).use { $0 }
    }
    let holder = Provider("holder") { pod in "<" + pod.withFreshInstance(of: dark) { $0 } + ">" }
    await site.expectOwn {
      "<\($0) in dark>"
    } resolve: {
      $0.resolve(holder)
    }
  }

  @Test("R19 R25 async fresh instances in an inner pod", arguments: InnerPod.allCases)
  func asyncFresh(_ inner: InnerPod) async throws {
    let site = site
    let asyncPage = AsyncProvider("async page") { pod in
      await Task.yield()
      return pod.resolve(site.page)
    }
    let dark = AsyncProvider("dark") { pod in
      try await inner.use(of: pod, keeper: site.keeper, configure: site.darken) { inside in
        let first = try await inside.withFreshInstance(of: asyncPage) { $0 }
        return try await first + inside.factory(asyncPage)()
      }
    }
    try await site.expectOwn {
      "\($0) in dark\($0) in dark"
    } resolve: {
      try await $0.resolve(dark)
    }
  }

  @Test(
    "R15 R26 a stored lazy that the builder used in an inner child: an override of the user builds its holder again")
  func overriddenLater() {
    let site = site
    let holder = Provider("holder") { pod in
      let child = pod.makeChild("inner", configure: site.darken)
      let lazy = child.lazy(site.page)
      _ = lazy.value
      return Holder(child) { lazy.value }
    }
    let root = Pod("root")
    let original = root.resolve(holder)
    root.overrideProvider(site.user, withValue: "Eve")
    #expect(root.resolve(holder).page() == "Eve in dark")
    root.removeOverrideProvider(site.user)
    #expect(root.resolve(holder) === original)
    #expect(original.page() == "nobody in dark")
  }

  @Test("R19 what cachedInstance finds in an inner pod counts too", arguments: InnerPod.children)
  func cachedInstance(_ inner: InnerPod) {
    let site = site
    let peek = Provider("peek") { pod in
      inner.use(of: pod, keeper: site.keeper, configure: site.darken) { $0.cachedInstance(of: site.user) ?? "none" }
    }
    let root = Pod("root")
    _ = root.resolve(site.user)
    let (ada, bob) = (site.request("Ada", of: root), site.request("Bob", of: root))
    for pod in [ada, bob] { _ = pod.resolve(site.user) }
    #expect(root.resolve(peek) == "nobody")
    let answers = [ada, bob].map { $0.resolve(peek) }
    // Whether a constant override counts as a cached instance is another question; one user never gets another's.
    #expect(["Ada", "none"].contains(answers[0]) && ["Bob", "none"].contains(answers[1]))
  }
}
