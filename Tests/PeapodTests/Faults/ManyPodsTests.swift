import Peapod
import Testing

/// Very many pods over the same providers.
@Suite(.serialized, .timeLimit(.minutes(20)))
struct ManyPodsTests {
  private static let pods = 1_000

  /// A small graph: a setting, an instance that may be cleared, and one that is built from both.
  private struct Shop: Sendable {
    let population = Population()
    let disposed = Counter()
    let setting: Provider<Int>
    let page: Provider<Tracked>
    let shop: Provider<Tracked>

    init() {
      let (population, disposed) = (population, disposed)
      let setting = Provider { _ in 0 }
      let note: @Sendable (Tracked) -> Void = { _ in disposed.increment() }
      let page = Provider(
        "page", scope: OwnedScope(), { pod in population.make(keeping: [pod.resolve(setting)]) }, onDispose: note)
      self.setting = setting
      self.page = page
      shop = Provider(
        "shop", { pod in population.make(keeping: [pod.resolve(page), pod.resolve(setting)]) }, onDispose: note)
    }
  }

  @Test("R2 R4 R15 R27 1,000 pods have instances, overrides, clears and ends of their own")
  func roots() async throws {
    let shop = Shop()
    let all = (0..<Self.pods).map { Pod("\($0)") }
    let kept = try await runThreads(4) { thread in
      for index in stride(from: thread, to: Self.pods, by: 4) where index % 2 == 0 {
        all[index].overrideProvider(shop.setting) { _ in index }
      }
      // Every thread resolves in every pod.
      return all.map { $0.resolve(shop.page) }
    }
    // Whoever came before the override has an instance that went with it.
    let pages = all.map { $0.resolve(shop.page) }
    #expect(Set(pages.map(\.serial)).count == Self.pods)
    for index in 0..<Self.pods {
      let expected = index % 2 == 0 ? index : 0
      #expect(pages[index].parts[0] as? Int == expected)
      #expect(all[index].resolve(shop.shop).parts[1] as? Int == expected)
      #expect(all[index].resolve(shop.shop).parts[0] as? Tracked === pages[index])
      if index % 2 == 1 { for answers in kept { #expect(answers[index] === pages[index]) } }
    }
    for index in stride(from: 0, to: Self.pods, by: 3) { all[index].clearCachedInstances(forScope: OwnedScope()) }
    for index in 0..<Self.pods { #expect(all[index].isCached(shop.page) == (index % 3 != 0)) }
    for index in stride(from: 0, to: Self.pods, by: 2) { all[index].removeAllOverrides() }
    for index in 0..<Self.pods { #expect(all[index].resolve(shop.page).parts[0] as? Int == 0) }
  }

  @Test("R19 R27 1,000 children share what they do not change, and end apart from each other")
  func children() async throws {
    let shop = Shop()
    let root = Pod("root")
    let shared = root.resolve(shop.shop)
    let counts = try await runThreads(4) { thread in
      var children: [Pod] = []
      for index in stride(from: thread, to: Self.pods, by: 4) {
        children.append(root.makeChild { if index % 2 == 1 { $0.overrideProvider(shop.setting) { _ in index } } })
        let own = children[children.count - 1].resolve(shop.shop)
        #expect((own === shared) == (index % 2 == 0))
        #expect(own.parts[1] as? Int == (index % 2 == 1 ? index : 0))
      }
      return children.count
    }
    #expect(counts.reduce(0, +) == Self.pods)
    // The children are gone, with a page and a shop for each that changed the setting.
    #expect(shop.disposed.value == Self.pods)
    #expect(shop.population.live == 2)
    #expect(root.resolve(shop.shop) === shared)
  }

  @Test("R27 1,000 pods that go on four threads leave nothing of what they kept")
  func ends() async throws {
    let shop = Shop()
    try await runThreads(4) { thread in
      for index in 0..<Self.pods / 4 {
        let pod = Pod()
        pod.overrideProvider(shop.setting) { _ in index }
        _ = pod.resolve(shop.shop).serial
        if index % 3 == 0 { pod.dispose() }
      }
    }
    #expect(shop.disposed.value == 2 * Self.pods)
    #expect(shop.population.live == 0)
  }
}
