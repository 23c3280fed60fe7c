import Peapod

/// The declarations of a storm: one leaf for each worker, which alone overrides it, middles of any scope and kind, and tops
/// that are built from everything.
///
/// What a worker sees of its own leaf can be foretold, whatever the others do.
final class Storm: Sendable {
  enum Provided: Sendable {
    case plain(Provider<StormItem>)
    case throwing(ThrowingProvider<StormItem>)
    case async(AsyncProvider<StormItem>)

    var any: any ProviderProtocol {
      switch self {
      case .plain(let provider): provider
      case .throwing(let provider): provider
      case .async(let provider): provider
      }
    }
  }

  struct Planned: Error {}

  let ledger = StormLedger()
  let leaves: [Provider<StormItem>]
  /// Each asks for leaves and for earlier ones; the async ones come last.
  let middles: [(provided: Provided, scope: ScopeChoice)]
  let top: Provider<StormItem>
  let asyncTop: AsyncProvider<StormItem>

  init(leafCount: Int, failsAtTimes: Bool, using generator: inout SplitMix64) {
    let ledger = ledger
    let scopes: [ScopeChoice] = [.singleton, .outer, .inner, .firstTab]
    leaves = (0..<leafCount).map { index in
      Self.plain("leaf \(index)", scopes.randomElement(using: &generator)!, ledger) { _ in
        StormItem("leaf \(index)", leaf: index, in: ledger)
      }
    }
    var middles: [(provided: Provided, scope: ScopeChoice)] = []
    for index in 0..<9 {
      let scope = ScopeChoice.allCases.randomElement(using: &generator)!
      let below =
        leaves.shuffled(using: &generator).prefix(2).map { Provided.plain($0) }
        + middles.map(\.provided).shuffled(using: &generator).prefix(2)
      let name = "middle \(index)"
      let fails = failsAtTimes ? generator.below(3) == 0 : false
      switch index {
      case 0..<4:
        let sync = below.filter { if case .async = $0 { false } else { true } }
        middles.append(
          (
            .plain(Self.plain(name, scope, ledger) { StormItem(name, Self.parts(sync, in: $0, ledger), in: ledger) }),
            scope
          ))
      case 4..<6:
        middles.append((.throwing(Self.throwing(name, scope, fails, Array(below), ledger)), scope))
      default: middles.append((.async(Self.async(name, scope, fails, Array(below), ledger)), scope))
      }
    }
    self.middles = middles
    let all = leaves.map { Provided.plain($0) } + middles.map(\.provided)
    let sync = all.filter { if case .async = $0 { false } else { true } }
    top = Self.plain("top", .singleton, ledger) { StormItem("top", Self.parts(sync, in: $0, ledger), in: ledger) }
    asyncTop = Self.async("async top", .singleton, false, all, ledger)
  }

  // MARK: - Declaring

  private static func plain(
    _ name: String, _ scope: ScopeChoice, _ ledger: StormLedger, _ build: @escaping @Sendable (Pod) -> StormItem
  ) -> Provider<StormItem> {
    func declare(_ kind: some ProviderScope) -> Provider<StormItem> {
      Provider(name, scope: kind, { counted(build($0), scope, ledger) }, onDispose: hook(scope))
    }
    return declare(scope.scope)
  }

  private static func throwing(
    _ name: String, _ scope: ScopeChoice, _ fails: Bool, _ below: [Provided], _ ledger: StormLedger
  ) -> ThrowingProvider<StormItem> {
    func declare(_ kind: some ProviderScope) -> ThrowingProvider<StormItem> {
      ThrowingProvider(
        name, scope: kind,
        { pod in
          let parts = parts(below, in: pod, ledger)
          if fails, ledger.tick().isMultiple(of: 5) { throw Planned() }
          return counted(StormItem(name, parts, in: ledger), scope, ledger)
        }, onDispose: hook(scope))
    }
    return declare(scope.scope)
  }

  private static func async(
    _ name: String, _ scope: ScopeChoice, _ fails: Bool, _ below: [Provided], _ ledger: StormLedger
  ) -> AsyncProvider<StormItem> {
    let build: @Sendable (Pod) async throws -> StormItem = { pod in
      await Task.yield()
      var parts = parts(below, in: pod, ledger)
      for case .async(let provider) in below {
        do { parts.append(try await pod.resolve(provider)) } catch is Planned {}
      }
      if fails, ledger.tick().isMultiple(of: 5) { throw Planned() }
      return counted(StormItem(name, parts, in: ledger), scope, ledger)
    }
    let disposes = hook(scope) != nil
    let onDispose: @Sendable (StormItem) async -> Void = { item in
      await Task.yield()
      item.dispose(scope)
    }
    func declare(_ kind: some ProviderScope) -> AsyncProvider<StormItem> {
      AsyncProvider(name, scope: kind, build, onDispose: disposes ? onDispose : nil)
    }
    return declare(scope.scope)
  }

  private static func hook(_ scope: ScopeChoice) -> (@Sendable (StormItem) -> Void)? {
    guard scope.keeps || scope == .graph else { return nil }
    return { item in item.dispose(scope) }
  }

  private static func counted(_ item: StormItem, _ scope: ScopeChoice, _ ledger: StormLedger) -> StormItem {
    if hook(scope) != nil { ledger.hooked.wrappingAdd(1, ordering: .relaxed) }
    return item
  }

  /// What a builder gets synchronously; what fails as planned is left out.
  private static func parts(_ below: [Provided], in pod: Pod, _ ledger: StormLedger) -> [StormItem] {
    below.compactMap { provided -> StormItem? in
      let start = ledger.tick()
      let item: StormItem?
      switch provided {
      case .plain(let provider): item = pod.resolve(provider)
      case .throwing(let provider):
        do { item = try pod.resolve(provider) } catch {
          if !(error is Planned) { ledger.problems.append("a builder got \(error)") }
          item = nil
        }
      case .async: item = nil
      }
      item?.check(since: start)
      return item
    }
  }
}
