import Peapod
import Testing

/// Rules 14, 15, 18 and 19: async builders that make an inner pod.
@Suite struct AsyncInnerPodTests {
  private let site = Site()
  private let asyncPage: AsyncProvider<String>

  init() {
    let site = site
    asyncPage = AsyncProvider("async page") { pod in
      await Task.yield()
      return pod.resolve(site.page)
    }
  }

  @Test("R15 R19 an inner pod that overrides a dependency", arguments: InnerPod.allCases)
  func overriding(_ inner: InnerPod) async throws {
    let (site, asyncPage) = (site, asyncPage)
    let dark = AsyncProvider("dark") { pod in
      try await inner.use(of: pod, keeper: site.keeper, configure: site.darken) { try await $0.resolve(asyncPage) }
    }
    try await site.expectOwn {
      "\($0) in dark"
    } resolve: {
      try await $0.resolve(dark)
    }
  }

  @Test("R15 R19 an inner pod that changes nothing", arguments: InnerPod.allCases)
  func unchanged(_ inner: InnerPod) async throws {
    let (site, asyncPage) = (site, asyncPage)
    let plain = AsyncProvider("plain") { pod in
      try await inner.use(of: pod, keeper: site.keeper) { try await $0.resolve(asyncPage) }
    }
    try await site.expectOwn {
      "\($0) in light"
    } resolve: {
      try await $0.resolve(plain)
    }
  }

  @Test("R17 R19 an inner pod whose override is async and decorates", arguments: InnerPod.allCases)
  func decorating(_ inner: InnerPod) async throws {
    let (site, asyncPage) = (site, asyncPage)
    let loud = AsyncProvider("loud") { pod in
      try await inner.use(
        of: pod, keeper: site.keeper,
        configure: { $0.overrideProvider(asyncPage) { try await $0.resolve(asyncPage) + "!" } },
        operation: { try await $0.resolve(asyncPage) })
    }
    try await site.expectOwn {
      "\($0) in light!"
    } resolve: {
      try await $0.resolve(loud)
    }
  }

  @Test("R19 R20 an inner child that only owns a scope", arguments: InnerPod.children)
  func owning(_ inner: InnerPod) async throws {
    let site = site
    let draft = AsyncProvider("draft", scope: OwnedScope()) { "draft of \($0.resolve(site.user))" }
    let editor = AsyncProvider("editor") { pod in
      try await inner.use(of: pod, owning: [OwnedScope()], keeper: site.keeper) { try await $0.resolve(draft) }
    }
    try await site.expectOwn {
      "draft of \($0)"
    } resolve: {
      try await $0.resolve(editor)
    }
  }

  @Test("R18 R19 child tasks within the operation resolve through the inner pod", arguments: InnerPod.allCases)
  func childTasks(_ inner: InnerPod) async throws {
    let (site, asyncPage) = (site, asyncPage)
    let dark = AsyncProvider("dark") { pod in
      try await inner.use(of: pod, keeper: site.keeper, configure: site.darken) { inside in
        async let page = inside.resolve(asyncPage)
        let theme = await withTaskGroup(of: String.self) { group in
          group.addTask { inside.resolve(site.theme) }
          return await group.next() ?? ""
        }
        return try await "\(page), \(theme)"
      }
    }
    try await site.expectOwn {
      "\($0) in dark, dark"
    } resolve: {
      try await $0.resolve(dark)
    }
  }

  @Test("R18 R19 a task that the builder starts within the operation and awaits", arguments: InnerPod.allCases)
  func startedTask(_ inner: InnerPod) async throws {
    let (site, asyncPage) = (site, asyncPage)
    let dark = AsyncProvider("dark") { pod in
      try await inner.use(of: pod, keeper: site.keeper, configure: site.darken) { inside in
        try await Task { try await inside.resolve(asyncPage) }.value
      }
    }
    try await site.expectOwn {
      "\($0) in dark"
    } resolve: {
      try await $0.resolve(dark)
    }
  }

  @Test("R19 synchronous inner pods in an async builder, before and after a suspension", arguments: InnerPod.allCases)
  func mixed(_ inner: InnerPod) async throws {
    let site = site
    let both = AsyncProvider("both") { pod in
      let theme = inner.use(of: pod, keeper: site.keeper, configure: site.darken) { $0.resolve(site.theme) }
      await Task.yield()
      let user = inner.use(of: pod, keeper: site.keeper, configure: site.darken) { $0.resolve(site.user) }
      return "\(user) in \(theme)"
    }
    try await site.expectOwn {
      "\($0) in dark"
    } resolve: {
      try await $0.resolve(both)
    }
  }

  @Test("R8 R19 two requests and their root build at the same time", arguments: InnerPod.allCases)
  func atOnce(_ inner: InnerPod) async throws {
    let (site, asyncPage) = (site, asyncPage)
    for _ in 0..<rounds(100) {
      let gate = AsyncGate()
      let dark = AsyncProvider("dark") { pod in
        try await inner.use(of: pod, keeper: site.keeper, configure: site.darken) { inside in
          await gate.wait()
          return try await inside.resolve(asyncPage)
        }
      }
      let root = Pod("root")
      let (ada, bob) = (site.request("Ada", of: root), site.request("Bob", of: root))
      async let ofAda = ada.resolve(dark)
      async let ofBob = bob.resolve(dark)
      async let ofRoot = root.resolve(dark)
      async let again = ada.resolve(dark)
      await eventually("a builder waits") { gate.arrived >= 1 }
      gate.open()
      #expect(
        try await [ofAda, again, ofBob, ofRoot] == ["Ada in dark", "Ada in dark", "Bob in dark", "nobody in dark"])
      #expect(try await root.resolve(dark) == "nobody in dark")
    }
  }

  @Test(
    "R11 R19 an override of the user while the inner pod resolves: the next resolve answers with it",
    arguments: InnerPod.allCases)
  func changedMeanwhile(_ inner: InnerPod) async throws {
    let site = site
    let (before, after) = (AsyncGate(), AsyncGate())
    let dark = AsyncProvider("dark") { pod in
      try await inner.use(of: pod, keeper: site.keeper, configure: site.darken) { inside in
        let page = inside.resolve(site.page)
        before.open()
        await after.wait()
        return page
      }
    }
    let root = Pod("root")
    async let first = root.resolve(dark)
    await before.wait()
    root.overrideProvider(site.user, withValue: "Eve")
    after.open()
    _ = try await first
    #expect(try await root.resolve(dark) == "Eve in dark")
    #expect(try await site.request("Ada", of: root).resolve(dark) == "Ada in dark")
    root.removeOverrideProvider(site.user)
    #expect(try await root.resolve(dark) == "nobody in dark")
  }

  @Test("R13 R19 an error that was thrown in the inner pod is one request's alone", arguments: InnerPod.allCases)
  func errors(_ inner: InnerPod) async throws {
    struct Refused: Error, Equatable { var user: String }
    let site = site
    let strict = ThrowingProvider<String>("strict") { pod in
      let user = pod.resolve(site.user)
      guard user != "Bob" else { throw Refused(user: user) }
      return user
    }
    let checked = AsyncProvider("checked") { pod in
      try await inner.use(of: pod, keeper: site.keeper, configure: site.darken) { inside async in
        do { return try inside.resolve(strict) } catch { return "\(error)" }
      }
    }
    let bad = "\(Refused(user: "Bob"))"
    try await site.expectOwn {
      $0 == "Bob" ? bad : $0
    } resolve: {
      try await $0.resolve(checked)
    }
  }
}
