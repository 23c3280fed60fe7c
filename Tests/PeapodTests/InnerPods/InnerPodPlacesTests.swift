import Peapod
import Testing

/// Rules 17 to 22: the places from which an inner pod is made, and the ways that lead to it.
@Suite struct InnerPodPlacesTests {
  private let site = Site()

  /// A provider whose builder resolves the page through an inner pod with a dark theme.
  private func dark(_ inner: InnerPod, scope: some ProviderScope = SingletonScope()) -> Provider<String> {
    let site = site
    return Provider("dark", scope: scope) { pod in
      inner.use(of: pod, keeper: site.keeper, configure: site.darken) { $0.resolve(site.page) }
    }
  }

  @Test("R3 R19 through a transient that makes the inner pod", arguments: InnerPod.allCases)
  func throughTransient(_ inner: InnerPod) async {
    let transient = dark(inner, scope: .alwaysCreateNew)
    await site.expectOwn {
      "\($0) in dark"
    } resolve: {
      $0.resolve(transient)
    }
    let holder = Provider("holder") { "<\($0.resolve(transient))>" }
    await site.expectOwn {
      "<\($0) in dark>"
    } resolve: {
      $0.resolve(holder)
    }
  }

  @Test("R3 R19 through a transient that is resolved in the inner pod", arguments: InnerPod.allCases)
  func transientInside(_ inner: InnerPod) async {
    let site = site
    let line = Provider("line", scope: .alwaysCreateNew) { "line: \($0.resolve(site.page))" }
    let text = Provider("text", scope: .alwaysCreateNew) { "text: \($0.resolve(line))" }
    let holder = Provider("holder") { pod in
      inner.use(of: pod, keeper: site.keeper, configure: site.darken) { $0.resolve(text) }
    }
    await site.expectOwn {
      "text: line: \($0) in dark"
    } resolve: {
      $0.resolve(holder)
    }
  }

  @Test("R6 R19 through graph-scoped and cleared instances", arguments: InnerPod.allCases)
  func otherScopes(_ inner: InnerPod) async {
    let site = site
    let graph = Provider("graph", scope: .graph) { "graph: \($0.resolve(site.user))" }
    let scoped = Provider("scoped", scope: OwnedScope()) { "scoped: \($0.resolve(graph))" }
    let holder = Provider("holder") { pod in
      inner.use(of: pod, keeper: site.keeper, configure: site.darken) { $0.resolve(scoped) + $0.resolve(graph) }
    }
    await site.expectOwn {
      "scoped: graph: \($0)graph: \($0)"
    } resolve: {
      $0.resolve(holder)
    }
    let darkGraph = dark(inner, scope: .graph)
    let outer = Provider("outer") { "\($0.resolve(darkGraph))" }
    await site.expectOwn {
      "\($0) in dark"
    } resolve: {
      $0.resolve(outer)
    }
  }

  @Test("R15 R19 in the builder of an override", arguments: InnerPod.allCases)
  func inOverride(_ inner: InnerPod) async {
    let site = site
    let banner = Provider("banner") { _ in "plain" }
    let holder = Provider("holder") { "<\($0.resolve(banner))>" }
    await site.expectOwn {
      "<\($0) in dark>"
    } resolve: { pod in
      let root = pod.parent ?? pod
      if !root.graph.nodes.contains(where: { $0.provider.id == banner.id && $0.isOverridden }) {
        root.overrideProvider(banner) { own in
          inner.use(of: own, keeper: site.keeper, configure: site.darken) { $0.resolve(site.page) }
        }
      }
      return pod.resolve(holder)
    }
  }

  @Test("R17 R19 in the builder of a decorator, around the original", arguments: InnerPod.allCases)
  func inDecorator(_ inner: InnerPod) {
    let site = site
    let root = Pod("root")
    root.overrideProvider(site.page) { own in
      inner.use(of: own, keeper: site.keeper, configure: site.darken) { _ in "decorated \(own.resolve(site.user))" }
    }
    let (ada, bob) = (site.request("Ada", of: root), site.request("Bob", of: root))
    #expect(ada.resolve(site.page) == "decorated Ada")
    #expect(bob.resolve(site.page) == "decorated Bob")
    #expect(root.resolve(site.page) == "decorated nobody")
    root.removeOverrideProvider(site.page)
    #expect([ada, bob, root].map { $0.resolve(site.page) } == ["Ada in light", "Bob in light", "nobody in light"])
  }

  @Test("R18 R19 inside an override scope of a request", arguments: InnerPod.allCases)
  func insideOverrideScope(_ inner: InnerPod) {
    let site = site
    let dark = dark(inner)
    let root = Pod("root")
    let (ada, bob) = (site.request("Ada", of: root), site.request("Bob", of: root))
    for pod in [ada, bob, root] {
      let name = pod === root ? "nobody" : pod.name
      let inside = pod.withOverrides { _ in
      } operation: {
        [pod.resolve(dark), pod.resolve(dark)]
      }
      #expect(inside == ["\(name) in dark", "\(name) in dark"])
      let other = pod.withOverrides {
        $0.overrideProvider(site.user, withValue: "guest")
      } operation: {
        pod.resolve(dark)
      }
      #expect(other == "guest in dark")
      #expect(!pod.isCached(dark))
    }
    for pod in [root, bob, ada] { #expect(pod.resolve(dark) == (pod === root ? "nobody" : pod.name) + " in dark") }
  }

  @Test("R22 R19 through families, by member and whole", arguments: InnerPod.allCases)
  func families(_ inner: InnerPod) async {
    let site = site
    let greeting = Provider.family("greeting") { (pod, word: String) in "\(word) \(pod.resolve(site.page))" }
    let dark = Provider.family("dark") { (pod, word: String) in
      inner.use(of: pod, keeper: site.keeper, configure: site.darken) { $0.resolve(greeting(word)) }
    }
    await site.expectOwn {
      "hi \($0) in dark"
    } resolve: {
      $0.resolve(dark("hi"))
    }
    let whole = Provider("whole") { pod in
      inner.use(
        of: pod, keeper: site.keeper,
        configure: { $0.overrideProvider(greeting) { pod, word in "\(word), dear \(pod.resolve(site.user))" } },
        operation: { $0.resolve(greeting("hi")) + $0.resolve(greeting("ho")) })
    }
    await site.expectOwn {
      "hi, dear \($0)ho, dear \($0)"
    } resolve: {
      $0.resolve(whole)
    }
  }

  @Test("R19 through throwing and main-actor providers", arguments: InnerPod.allCases)
  @MainActor
  func otherKinds(_ inner: InnerPod) async {
    let site = site
    let screen = MainActorProvider("screen") { pod in "screen: \(pod.resolve(site.page))" }
    let dark = MainActorProvider("dark") { pod in
      inner.use(of: pod, keeper: site.keeper, configure: site.darken) { inside in
        MainActor.assumeIsolated { inside.resolve(screen) }
      }
    }
    await site.expectOwn {
      "screen: \($0) in dark"
    } resolve: { pod in
      pod.resolve(dark)
    }
    let strict = ThrowingProvider("strict") { pod in "strict: \(pod.resolve(site.page))" }
    let throwing = ThrowingProvider("throwing") { pod in
      try inner.use(of: pod, keeper: site.keeper, configure: site.darken) { inside in
        Result { try inside.resolve(strict) }
      }.get()
    }
    await site.expectOwn {
      "strict: \($0) in dark"
    } resolve: { pod in
      (try? pod.resolve(throwing)) ?? ""
    }
  }

  @Test("R10 R19 with Injected in the inner pod's own builders", arguments: InnerPod.allCases)
  func injected(_ inner: InnerPod) async {
    struct Card: Sendable {
      @Injected var user: String
      @Injected var theme: String
      init(_ site: Site) { (_user, _theme) = (Injected(site.user), Injected(site.theme)) }
    }
    let site = site
    let card = Provider("card") { _ in Card(site) }
    let dark = Provider("dark") { pod in
      inner.use(of: pod, keeper: site.keeper, configure: site.darken) { inside in
        let card = inside.resolve(card)
        return "\(card.user) in \(card.theme)"
      }
    }
    await site.expectOwn {
      "\($0) in dark"
    } resolve: {
      $0.resolve(dark)
    }
  }
}
