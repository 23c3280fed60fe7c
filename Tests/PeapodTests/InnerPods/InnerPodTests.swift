import Peapod
import Testing

/// Rules 15, 18 and 19: an instance whose builder resolved through an inner pod depends on all that the inner pod did not
/// change itself.
@Suite struct InnerPodTests {
  private let site = Site()

  @Test("R19 the example of the rule: two children that override the user each get their own page")
  func example() {
    let (user, theme, page) = (site.user, site.theme, site.page)
    let dark = Provider { pod in
      pod.withChild(configure: { $0.overrideProvider(theme, withValue: "dark") }) { $0.resolve(page) }
    }
    let root = Pod()
    let ada = root.makeChild { $0.overrideProvider(user, withValue: "Ada") }
    let bob = root.makeChild { $0.overrideProvider(user, withValue: "Bob") }
    #expect(ada.resolve(dark) == "Ada in dark")
    #expect(bob.resolve(dark) == "Bob in dark")
    #expect(root.resolve(dark) == "nobody in dark")
  }

  @Test("R15 R18 the same with an override scope that changes nothing")
  func emptyOverrideScope() {
    let user = site.user
    let hello = Provider { pod in pod.withOverrides({ _ in }) { "hello \(pod.resolve(user))" } }
    let root = Pod()
    let ada = root.makeChild { $0.overrideProvider(user, withValue: "Ada") }
    let bob = root.makeChild { $0.overrideProvider(user, withValue: "Bob") }
    #expect(ada.resolve(hello) == "hello Ada")
    #expect(bob.resolve(hello) == "hello Bob")
    #expect(root.resolve(hello) == "hello nobody")
    root.overrideProvider(user, withValue: "Eve")
    #expect(root.resolve(hello) == "hello Eve")
  }

  @Test("R15 R19 an inner pod that overrides a dependency", arguments: InnerPod.allCases)
  func overriding(_ inner: InnerPod) async {
    let site = site
    let dark = Provider("dark") { pod in
      inner.use(of: pod, keeper: site.keeper, configure: site.darken) { $0.resolve(site.page) }
    }
    await site.expectOwn {
      "\($0) in dark"
    } resolve: {
      $0.resolve(dark)
    }
  }

  @Test("R15 R19 an inner pod that changes nothing", arguments: InnerPod.allCases)
  func unchanged(_ inner: InnerPod) async {
    let site = site
    let plain = Provider("plain") { pod in inner.use(of: pod, keeper: site.keeper) { $0.resolve(site.page) } }
    await site.expectOwn {
      "\($0) in light"
    } resolve: {
      $0.resolve(plain)
    }
  }

  @Test("R17 R19 an inner pod that decorates the user", arguments: InnerPod.allCases)
  func decorating(_ inner: InnerPod) async {
    let site = site
    let loud = Provider("loud") { pod in
      inner.use(
        of: pod, keeper: site.keeper,
        configure: { $0.overrideProvider(site.user) { $0.resolve(site.user) + "!" } },
        operation: { $0.resolve(site.page) })
    }
    await site.expectOwn {
      "\($0)! in light"
    } resolve: {
      $0.resolve(loud)
    }
  }

  @Test("R15 R19 an inner pod whose override resolves the user", arguments: InnerPod.allCases)
  func overrideThatResolves(_ inner: InnerPod) async {
    let site = site
    let own = Provider("own") { pod in
      inner.use(
        of: pod, keeper: site.keeper,
        configure: { $0.overrideProvider(site.theme) { "\($0.resolve(site.user))'s colors" } },
        operation: { $0.resolve(site.theme) })
    }
    await site.expectOwn {
      "\($0)'s colors"
    } resolve: {
      $0.resolve(own)
    }
  }

  @Test("R19 R20 an inner child that only owns a scope", arguments: InnerPod.children)
  func owning(_ inner: InnerPod) async {
    let site = site
    let draft = Provider("draft", scope: OwnedScope()) { "draft of \($0.resolve(site.user))" }
    let editor = Provider("editor") { pod in
      inner.use(of: pod, owning: [OwnedScope()], keeper: site.keeper) { $0.resolve(draft) }
    }
    await site.expectOwn {
      "draft of \($0)"
    } resolve: {
      $0.resolve(editor)
    }
  }

  /// There are more paths between these members than steps that a program can do.
  @Test("R19 an inner pod that overrides a family whose members share others")
  func manyPaths() {
    let base = Provider("base") { _ in 1 }
    let number = Provider<Int>.family("number") { (_, index: Int) in index }
    let sum = Provider("sum") { pod in
      pod.withChild {
        $0.overrideProvider(number) { pod, index in
          index < 2 ? pod.resolve(base) : pod.resolve(number(index - 1)) &+ pod.resolve(number(index - 2))
        }
      } operation: {
        $0.resolve(number(150))
      }
    }
    let pod = Pod()
    let first = pod.resolve(sum)
    #expect(pod.graph.dependencies(of: sum).map(\.name) == ["base"])
    pod.overrideProvider(base, withValue: 0)
    #expect(first != 0)
    #expect(pod.resolve(sum) == 0)
  }

  @Test(
    "R19 one builder with several inner pods, each of which leads to another dependency", arguments: InnerPod.allCases)
  func several(_ inner: InnerPod) async {
    let site = site
    let both = Provider("both") { pod in
      let dark = inner.use(of: pod, keeper: site.keeper, configure: site.darken) { $0.resolve(site.theme) }
      let user = inner.use(of: pod, keeper: site.keeper, configure: site.darken) { $0.resolve(site.user) }
      return "\(user) in \(dark)"
    }
    await site.expectOwn {
      "\($0) in dark"
    } resolve: {
      $0.resolve(both)
    }
  }

  @Test("R19 inner pods nest, within one builder and through builders", arguments: InnerPod.allCases, InnerPod.allCases)
  func nested(_ outer: InnerPod, _ inner: InnerPod) async {
    let site = site
    let title = Provider("title") { _ in "plain" }
    let dark = Provider("dark") { pod in
      inner.use(of: pod, keeper: site.keeper, configure: site.darken) {
        "\($0.resolve(site.page)), \($0.resolve(title))"
      }
    }
    let fancy = Provider("fancy") { pod in
      outer.use(of: pod, keeper: site.keeper, configure: { $0.overrideProvider(title, withValue: "fancy") }) {
        $0.resolve(dark)
      }
    }
    await site.expectOwn {
      "\($0) in dark, fancy"
    } resolve: {
      $0.resolve(fancy)
    }
    let inOneBuilder = Provider("in one builder") { pod in
      outer.use(of: pod, keeper: site.keeper, configure: { $0.overrideProvider(title, withValue: "fancy") }) { middle in
        inner.use(of: middle, keeper: site.keeper, configure: site.darken) {
          "\($0.resolve(site.page)), \($0.resolve(title))"
        }
      }
    }
    await site.expectOwn {
      "\($0) in dark, fancy"
    } resolve: {
      $0.resolve(inOneBuilder)
    }
  }

  @Test("R8 R19 the inner pod itself gives what it would give outside a builder", arguments: InnerPod.children)
  func inside(_ inner: InnerPod) {
    let site = site
    let seen = Log<String>()
    let dark = Provider("dark") { pod in
      inner.use(of: pod, keeper: site.keeper, configure: site.darken) { child in
        for _ in 0..<2 { seen.append(child.resolve(site.page)) }
        child.overrideProvider(site.user, withValue: "guest")
        seen.append(child.resolve(site.page))
        child.removeOverrideProvider(site.user)
        seen.append(child.resolve(site.page))
      }
    }
    let root = Pod()
    site.request("Ada", of: root).resolve(dark)
    #expect(seen.drain() == ["Ada in dark", "Ada in dark", "guest in dark", "Ada in dark"])
  }
}
