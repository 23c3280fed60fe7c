import Peapod
import Testing

/// Rules 20 and 26: a deferred dependency that leads to a scope with `requiresOwner` stops with a message that names the
/// `Lazy` or factory, its holder, the pod, the scope and the fix.
@Suite struct DeferredOwnerTests {
  private final class Holder: Sendable {
    let get: @Sendable () -> Int
    init(_ get: @escaping @Sendable () -> Int) { self.get = get }
  }

  /// The deferred dependencies that a holder may make.
  enum Kind: String, CaseIterable, Codable, Sendable {
    case lazy, factory, perUse, familyFactory, throwingFactory

    /// The word that names it in the message.
    var word: String {
      switch self {
      case .lazy: "Lazy"
      case .perUse: "PerUse"
      default: "factory"
      }
    }
  }

  /// A basket of an account, the total that is built from it, and a shop that gets the total later.
  private static func shop(_ kind: Kind) -> Provider<Holder> {
    let basket = Provider("basket", scope: AccountScope()) { _ in 1 }
    let total = Provider("total") { $0.resolve(basket) }
    let member = Provider.family("total") { (pod, factor: Int) in factor * pod.resolve(basket) }
    let throwing = ThrowingProvider("total") { $0.resolve(basket) }
    return Provider("shop") { pod in
      switch kind {
      case .lazy:
        let lazy = pod.lazy(total)
        return Holder { lazy.value }
      case .factory: return Holder(pod.factory(total))
      case .perUse:
        let perUse = pod.perUse(total)
        return Holder { perUse.use { $0 } }
      case .familyFactory:
        let make = pod.factory(member)
        return Holder { make(2) }
      case .throwingFactory:
        let make = pod.factory(throwing)
        return Holder { (try? make()) ?? 0 }
      }
    }
  }

  private func expectMessage(
    _ result: ExitTest.Result?, word: String, pod: String, holder: String = "shop",
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let text = try #require(result?.errorText, sourceLocation: sourceLocation)
    // The rest is a crash report, which is full of other names.
    let message = String(text.prefix(upTo: text.range(of: "Program crashed")?.lowerBound ?? text.endIndex))
    for part in [word, holder, "basket", "AccountScope", "\"\(pod)\"", "DeferredOwnerTests.swift:"] {
      #expect(message.contains(part), "no \(part) in: \(message)", sourceLocation: sourceLocation)
    }
    // The fix: the holder gets the scope of the request, or the request's pod is asked.
    #expect(message.contains("owning") || message.contains("resolve"), sourceLocation: sourceLocation)
    #expect(message.contains("fix"), "no fix in: \(message)", sourceLocation: sourceLocation)
  }

  @Test("R20 R26 a request uses what a holder of the root made", arguments: Kind.allCases)
  func sharedHolder(_ kind: Kind) async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [kind] in
      let shop = DeferredOwnerTests.shop(kind)
      let root = Pod("the root")
      let ada = root.makeChild("Ada", owning: [AccountScope()])
      // Nothing of the total exists yet, so the root's holder serves the request.
      precondition(root.resolve(shop) === ada.resolve(shop))
      _ = ada.resolve(shop).get()
    }
    try expectMessage(result, word: kind.word, pod: "the root")
  }

  @Test("R20 R26 the same for the scoped provider itself", arguments: [false, true])
  func directly(isLazy: Bool) async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [isLazy] in
      let basket = Provider("basket", scope: AccountScope()) { _ in 1 }
      let shop = Provider("shop") { pod in
        guard isLazy else { return Holder(pod.factory(basket)) }
        let lazy = pod.lazy(basket)
        return Holder { lazy.value }
      }
      _ = Pod("the root").makeChild("guest").resolve(shop).get()
    }
    try expectMessage(result, word: isLazy ? "Lazy" : "factory", pod: "the root")
  }

  @Test("R20 R26 the holder of the nearest deferred dependency is named, where deferred dependencies follow each other")
  func chained() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let shop = DeferredOwnerTests.shop(.factory)
      let mall = Provider("mall") { pod in
        let lazy = pod.lazy(shop)
        return Holder { lazy.value.get() }
      }
      _ = Pod("the root").resolve(mall).get()
    }
    try expectMessage(result, word: "factory", pod: "the root")
  }

  @Test("R20 R26 a main-actor and an async factory")
  func otherKinds() async throws {
    let onMainActor = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await MainActor.run {
        let basket = MainActorProvider("basket", scope: AccountScope()) { _ in 1 }
        let total = MainActorProvider("total") { $0.resolve(basket) }
        let shop = MainActorProvider("shop") { $0.factory(total) }
        _ = Pod("the root").resolve(shop)()
      }
    }
    try expectMessage(onMainActor, word: "factory", pod: "the root")
    let async = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      final class AsyncHolder: Sendable {
        let get: nonisolated(nonsending) @Sendable () async throws -> Int
        init(_ get: nonisolated(nonsending) @escaping @Sendable () async throws -> Int) { self.get = get }
      }
      let basket = AsyncProvider("basket", scope: AccountScope()) { _ in 1 }
      let total = AsyncProvider("total") { try await $0.resolve(basket) }
      let shop = Provider("shop") { AsyncHolder($0.factory(total)) }
      _ = try? await Pod("the root").resolve(shop).get()
    }
    try expectMessage(async, word: "factory", pod: "the root")
  }

  @Test("R19 R26 with the scope of the request, the holder works", arguments: Kind.allCases)
  func fixed(_ kind: Kind) {
    let basket = Provider("basket", scope: AccountScope()) { _ in Tracked() }
    let shop = Provider("shop", scope: AccountScope()) { pod -> @Sendable () -> Tracked in pod.factory(basket) }
    let root = Pod("the root")
    let (ada, bob) = (
      root.makeChild("Ada", owning: [AccountScope()]), root.makeChild("Bob", owning: [AccountScope()])
    )
    let (ofAda, ofBob) = (ada.resolve(shop)(), bob.resolve(shop)())
    #expect(ofAda === ada.resolve(basket) && ofBob === bob.resolve(basket) && ofAda !== ofBob)
  }
}
