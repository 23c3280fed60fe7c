import Testing

@testable import Peapod

/// Builders for child pods receive shared instances of the root without a lock, and depend on the very instances that they received.
struct SharedInstanceTests {
  private struct RequestScope: ProviderScope {}
  private struct ConfigScope: ProviderScope {}

  private final class Config: Sendable {}
  private final class Page: Sendable {
    let config: Config
    init(_ config: Config) { self.config = config }
  }

  private struct Server {
    let root = Pod("server")
    let config = Provider(scope: ConfigScope()) { _ in Config() }
    let page: Provider<Page>

    init() {
      page = Provider(scope: RequestScope()) { [config] pod in Page(pod.resolve(config)) }
    }

    /// Answers a request, and returns the page with the instance on which it depends.
    func answer() -> (page: Page, dependency: Peapod.Instance?) {
      let request = root.makeChild(owning: [RequestScope()])
      let page = request.resolve(page)
      let instance = request.state.withLock { request.state.firstInstance(of: self.page.declaration, $0) }
      return (page, instance?.dependencies.first?.instance)
    }
  }

  @Test("R8 R15 a builder depends on the instance that it received, while the root clears it and builds another")
  func received() async throws {
    let server = Server()
    let isOver = Locked(false)
    let clearing = Worker {
      while !isOver.withLock({ $0 }) {
        server.root.clearCachedInstances(forScope: ConfigScope())
        _ = server.root.resolve(server.config)
      }
    }
    try await runThreads(2) { _ in
      for _ in 0..<rounds(20_000) {
        let (page, dependency) = server.answer()
        let config = UInt(bitPattern: Unmanaged.passUnretained(page.config).toOpaque())
        let word = dependency?.home.withLock { _ in dependency?.word }
        // A cleared instance has no value any longer.
        #expect(word == config || word == 0)
      }
    }
    isOver.withLock { $0 = true }
    try await clearing.value()
  }

  @Test("R8 a builder that takes a value, and then finds another instance beside it, depends on the first instance")
  func replacedMeanwhile() throws {
    let server = Server()
    for _ in 0..<50 { _ = server.answer() }
    let other = Provider { _ in Config() }
    _ = server.root.resolve(other)
    let state = server.root.state
    let published = state.slots.share(server.config.declaration.index)
    let share = try #require(published)
    let wrong = try #require(state.withLock { state.firstInstance(of: other.declaration, $0) })
    // As if another thread had replaced the instance between the two steps of a reader.
    func exchange(_ former: Peapod.Instance, _ new: Peapod.Instance) {
      state.withLock { _ in
        for _ in 0..<share.pointee.instance.takeStock() { Unmanaged.passUnretained(former).release() }
        share.pointee.instance.publish(new.address)
        for _ in 0..<16 { _ = Unmanaged.passRetained(new) }
        share.pointee.instance.restock(16)
      }
    }
    let right = try #require(server.answer().dependency)
    exchange(right, wrong)
    #expect(server.answer().dependency === right)
    exchange(wrong, right)
    #expect(server.answer().dependency === right)
  }

  @Test("R15 a builder that finds an override depends on the override, although the slot still has the original")
  func overriddenJustNow() {
    let server = Server()
    for _ in 0..<50 { _ = server.answer() }
    let (original, other) = (server.answer().page.config, Config())
    let (state, declaration) = (server.root.state, server.config.declaration)
    // As if another thread had added the override, and not hidden the original yet.
    let override = Override(declaration, .constant(.storing(other, isReference: true)))
    override.install(in: state)
    _ = state.withLock { _ in state.overrides.update(with: override) }
    state.overrideBits.bitwiseOr(declaration.overrideBit, ordering: .relaxed)
    #expect(server.answer().page.config === other)
    server.root.removeOverrideProvider(server.config)
    #expect(server.answer().page.config === original)
  }

  @Test("R27 an instance that builders for child pods depended on is deallocated with the root")
  func deallocated() {
    weak var instance: Peapod.Instance?
    do {
      let server = Server()
      for _ in 0..<200 { instance = server.answer().dependency }
      #expect(instance != nil)
    }
    #expect(instance == nil)
  }

  @Test("R15 a builder for a child pod depends on an override of the root, and not on a hidden original")
  func hidden() {
    let server = Server()
    for _ in 0..<50 { _ = server.answer() }
    let original = server.answer().page.config
    let other = Config()
    server.root.overrideProvider(server.config, withValue: other)
    #expect(server.answer().page.config === other)
    server.root.removeOverrideProvider(server.config)
    #expect(server.answer().page.config === original)
  }
}
