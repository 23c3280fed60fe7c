import Peapod
import Testing

/// Rules 15, 18 and 19: builders that open an override scope on other pods than their own, and at unusual moments.
@Suite struct InnerScopeTests {
  private let site = Site()

  @Test("R18 R19 opened on the builder's own child")
  func onOwnChild() async {
    let site = site
    let dark = Provider("dark") { pod in
      pod.withChild("inner") { child in
        child.withOverrides(site.darken) { child.resolve(site.page) }
      }
    }
    await site.expectOwn {
      "\($0) in dark"
    } resolve: {
      $0.resolve(dark)
    }
    let kept = Provider("kept") { pod in
      let child = pod.makeChild("inner", owning: [OwnedScope()], configure: site.darken)
      site.keeper.append(child)
      return child.withOverrides { child in
        child.overrideProvider(site.theme) { "very \($0.resolve(site.theme))" }
      } operation: {
        child.resolve(site.page)
      }
    }
    await site.expectOwn {
      "\($0) in very dark"
    } resolve: {
      $0.resolve(kept)
    }
  }

  @Test("R18 R19 an inner child within an override scope, and the other way round")
  func childWithin() async {
    let site = site
    let dark = Provider("dark") { pod in
      pod.withOverrides(site.darken) { pod.withChild { $0.resolve(site.page) } }
    }
    await site.expectOwn {
      "\($0) in dark"
    } resolve: {
      $0.resolve(dark)
    }
    let loud = Provider("loud") { pod in
      pod.withOverrides(site.darken) {
        let child = pod.makeChild { $0.overrideProvider(site.user) { $0.resolve(site.user) + "!" } }
        return child.resolve(site.page) + ", " + child.resolve(site.theme)
      }
    }
    await site.expectOwn {
      "\($0)! in dark, dark"
    } resolve: {
      $0.resolve(loud)
    }
  }

  @Test("R15 R18 opened on a captured root: overrides of that root reach the instance")
  func onCapturedPod() {
    let site = site
    let other = Pod("other")
    let dark = Provider("dark") { _ in other.withOverrides(site.darken) { other.resolve(site.page) } }
    let root = Pod("root")
    #expect(root.resolve(dark) == "nobody in dark")
    other.overrideProvider(site.user, withValue: "Eve")
    #expect(root.resolve(dark) == "Eve in dark")
    other.removeOverrideProvider(site.user)
    #expect(root.resolve(dark) == "nobody in dark")
    #expect(site.request("Ada", of: root).resolve(dark) == "nobody in dark")
  }

  @Test("R10 R18 R19 opened on the captured root that is the pod of the builder or its ancestor")
  func onCapturedOwnRoot() {
    let site = site
    for isChild in [false, true] {
      let root = Pod("root")
      let dark = Provider("dark") { pod in
        root.withOverrides(site.darken) { "\(root.resolve(site.page)), \(pod.resolve(site.user))" }
      }
      let pod = isChild ? site.request("Ada", of: root) : root
      let name = isChild ? "Ada" : "nobody"
      #expect(pod.resolve(dark).hasSuffix(", \(name)"))
      #expect(root.resolve(dark) == "nobody in dark, nobody")
      root.overrideProvider(site.user, withValue: "Eve")
      #expect(root.resolve(dark) == "Eve in dark, Eve")
      if isChild { #expect(pod.resolve(dark).hasSuffix(", Ada")) }
      #expect(site.request("Bob", of: root).resolve(dark).hasSuffix(", Bob"))
    }
  }

  @Test("R18 opened on a global pod, of which the builder's pod is a child or not", arguments: [false, true])
  func onGlobalPod(isChild: Bool) async {
    await #expect(processExitsWith: .success) { [isChild] in
      let site = Site()
      let root = isChild ? Pod.shared : Pod("root")
      let dark = Provider("dark") { _ in Pod.shared.withOverrides(site.darken) { Pod.shared.resolve(site.page) } }
      let holder = Provider("holder") { pod in "\(pod.resolve(dark)) for \(pod.resolve(site.user))" }
      let (ada, bob) = (site.request("Ada", of: root), site.request("Bob", of: root))
      #expect(ada.resolve(holder).hasSuffix("for Ada"))
      #expect(bob.resolve(holder).hasSuffix("for Bob"))
      #expect(root.resolve(holder) == "nobody in dark for nobody")
      Pod.shared.overrideProvider(site.user, withValue: "Eve")
      #expect(root.resolve(holder) == "Eve in dark for \(isChild ? "Eve" : "nobody")")
      #expect(bob.resolve(holder).hasSuffix("for Bob"))
      Pod.shared.removeOverrideProvider(site.user)
      #expect(root.resolve(holder) == "nobody in dark for nobody")
    }
  }

  @Test("R18 R19 what the configuration of the scope resolves counts", arguments: [false, true])
  func configureResolves(isAsync: Bool) async throws {
    let site = site
    @Sendable func configure(_ scope: Pod, _ user: String) {
      scope.overrideProvider(site.theme, withValue: "\(user)'s colors")
    }
    if isAsync {
      let own = AsyncProvider("own") { pod in
        await pod.withOverrides {
          configure($0, $0.resolve(site.user))
        } operation: {
          await Task.yield()
          return pod.resolve(site.theme)
        }
      }
      try await site.expectOwn {
        "\($0)'s colors"
      } resolve: {
        try await $0.resolve(own)
      }
    } else {
      let own = Provider("own") { pod in
        pod.withOverrides {
          configure($0, pod.resolve(site.user))
        } operation: {
          pod.resolve(site.theme)
        }
      }
      await site.expectOwn {
        "\($0)'s colors"
      } resolve: {
        $0.resolve(own)
      }
    }
  }

  @Test("R19 what the configuration of an inner child resolves counts", arguments: InnerPod.children)
  func childConfigureResolves(_ inner: InnerPod) async {
    let site = site
    let own = Provider("own") { pod in
      inner.use(
        of: pod, keeper: site.keeper,
        configure: { child in child.overrideProvider(site.theme, withValue: "\(child.resolve(site.user))'s colors") },
        operation: { $0.resolve(site.theme) })
    }
    await site.expectOwn {
      "\($0)'s colors"
    } resolve: {
      $0.resolve(own)
    }
  }

  @Test("R15 R18 R26 a lazy and a factory that are made in the scope and used after it")
  func usedAfterwards() {
    let site = site
    for isLazy in [false, true] {
      let later = Provider("later") { pod -> @Sendable () -> String in
        pod.withOverrides(site.darken) {
          _ = pod.resolve(site.page)
          guard isLazy else { return pod.factory(site.page) }
          let lazy = pod.lazy(site.page)
          return { lazy.value }
        }
      }
      let root = Pod("root")
      let (ada, bob) = (site.request("Ada", of: root), site.request("Bob", of: root))
      // Whether the scope still counts after its end or not, the user is the request's.
      for pod in [ada, bob, ada] { #expect(pod.resolve(later)().hasPrefix(pod.name)) }
      #expect(root.resolve(later)().hasPrefix("nobody"))
      root.overrideProvider(site.user, withValue: "Eve")
      #expect(root.resolve(later)().hasPrefix("Eve"))
      #expect(bob.resolve(later)().hasPrefix("Bob"))
    }
  }

  @Test("R8 R18 R19 many requests open scopes in their builders at once, on threads")
  func atOnce() async throws {
    let site = site
    let dark = Provider("dark") { pod in pod.withOverrides(site.darken) { pod.resolve(site.page) } }
    let darker = Provider("darker") { pod in
      pod.withChild(configure: { $0.overrideProvider(site.theme) { "very " + $0.resolve(site.theme) } }) {
        "\($0.resolve(site.page)); \($0.resolve(dark))"
      }
    }
    let root = Pod("root")
    let wrong = try await runThreads(4) { thread -> [String] in
      var wrong: [String] = []
      for round in 0..<rounds(500) {
        let name = "user \(thread) \(round)"
        for (pod, user) in [(site.request(name, of: root), name), (root, "nobody")] {
          let answer = pod.resolve(darker)
          if answer != "\(user) in very light; \(user) in dark" { wrong.append("\(user) got \(answer)") }
        }
      }
      return wrong
    }
    #expect(Array(wrong.joined()).prefix(5) == [])
    #expect(root.graph.nodes.allSatisfy { $0.buildCount <= 1 })
  }

  @Test("R19 what an inner child overrides is constant in an override scope of that child too")
  func scopeOfInnerChild() {
    let site = site
    let dark = Provider("dark") { pod in
      let inner = pod.makeChild(configure: site.darken)
      return Part(
        inner.withOverrides { _ in
        } operation: {
          inner.resolve(site.page)
        })
    }
    let root = Pod("root")
    let first = root.resolve(dark)
    #expect(first.recipe == "nobody in dark")
    let child = root.makeChild { $0.overrideProvider(site.theme, withValue: "bright") }
    #expect(child.resolve(dark) === first)
    root.overrideProvider(site.theme, withValue: "bright")
    #expect(root.resolve(dark) === first)
  }

  @Test(
    "R15 R18 R19 a scope in a builder within an override scope follows a removal in the outer scope",
    arguments: [false, true])
  func scopeWithinScope(isOverriddenOutside: Bool) {
    let site = site
    let root = Pod("root")
    let dark = Provider("dark") { pod in pod.withOverrides(site.darken) { pod.resolve(site.page) } }
    if isOverriddenOutside { root.overrideProvider(site.user, withValue: "Ada") }
    root.withOverrides {
      if !isOverriddenOutside { $0.overrideProvider(site.user, withValue: "Ada") }
    } operation: {
      #expect(root.resolve(site.user) == "Ada")
      #expect(root.resolve(dark) == "Ada in dark")
      root.removeOverrideProvider(site.user)
      #expect(root.resolve(dark) == "nobody in dark")
      root.overrideProvider(site.user, withValue: "Bob")
      #expect(root.resolve(dark) == "Bob in dark")
    }
  }
}
