import Peapod
import Testing

/// Rules 19 and 20: inner pods and scopes that a request owns or must own.
@Suite struct InnerPodOwnerTests {
  private let site = Site()

  /// A basket of the scope that requires an owner, and a shop whose builder resolves it through an inner pod.
  private func shop(_ inner: InnerPod, owning: [any ProviderScope] = []) -> Provider<Tracked> {
    let site = site
    let basket = Provider("basket", scope: AccountScope()) { pod in Tracked(keeping: [pod.resolve(site.user)]) }
    return Provider("shop") { pod in
      inner.use(of: pod, owning: owning, keeper: site.keeper, configure: site.darken) {
        Tracked(keeping: [$0.resolve(basket)])
      }
    }
  }

  private func user(of shop: Tracked) -> String? { (shop.parts.first as? Tracked)?.parts.first as? String }

  @Test(
    "R19 R20 two accounts each get their own basket, where only the inner pod led to it", arguments: InnerPod.allCases)
  func ownedByRequest(_ inner: InnerPod) {
    let shop = shop(inner)
    let root = Pod("root")
    // The accounts do not override anything: only the owned scope tells them apart.
    let pods = ["Ada", "Bob"].map { root.makeChild($0, owning: [AccountScope()]) }
    let shops = pods.map { $0.resolve(shop) }
    #expect(shops[0] !== shops[1])
    #expect(shops[0].parts[0] as? Tracked !== shops[1].parts[0] as? Tracked)
    for (pod, instance) in zip(pods, shops) {
      #expect(pod.resolve(shop) === instance)
      #expect(pod.makeChild().resolve(shop) === instance)
    }
    #expect(!root.isCached(shop))
  }

  @Test("R19 R20 the same for accounts that override the user", arguments: InnerPod.allCases)
  func ownedAndOverridden(_ inner: InnerPod) {
    let shop = shop(inner)
    let root = Pod("root")
    let pods = ["Ada", "Bob"].map { site.request($0, of: root, owning: [AccountScope()]) }
    for pod in pods + pods.reversed() { #expect(user(of: pod.resolve(shop)) == pod.name) }
    pods[0].clearCachedInstances(forScope: AccountScope())
    #expect(user(of: pods[0].resolve(shop)) == "Ada")
  }

  @Test("R20 an inner child may own the scope itself, so the root needs no owner", arguments: InnerPod.children)
  func ownedByInner(_ inner: InnerPod) async {
    let shop = shop(inner, owning: [AccountScope()])
    await site.expectOwn(owning: [AccountScope()]) {
      $0
    } resolve: {
      user(of: $0.resolve(shop)) ?? ""
    }
    let other = Pod("root")
    let accounts = ["Ada", "Bob"].map { other.makeChild($0, owning: [AccountScope()]) }
    // Nothing of what a request owns was used, so that all share one instance.
    #expect(accounts[0].resolve(shop) === accounts[1].resolve(shop))
  }

  @Test("R20 R30 where neither owns the scope, the inner pod stops with the remedy", arguments: InnerPod.allCases)
  func noOwner(_ inner: InnerPod) async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [inner] in
      let tests = InnerPodOwnerTests()
      let shop = tests.shop(inner)
      let root = Pod("root")
      _ = root.makeChild("Ada", owning: [AccountScope()]).resolve(shop)
      _ = root.makeChild("guest").resolve(shop)
    }
    let text = try #require(result?.errorText)
    for word in ["basket", "AccountScope", "owning"] { #expect(text.contains(word)) }
  }

  @Test("R19 R20 a main-actor model that opens a flow in its builder", arguments: InnerPod.children)
  @MainActor
  func modelThatOpensFlow(_ inner: InnerPod) async {
    @MainActor final class Model {
      let step: String
      init(step: String) { self.step = step }
    }
    let site = site
    let step = MainActorProvider("step", scope: OwnedScope()) { pod in "step of \(pod.resolve(site.user))" }
    let model = MainActorProvider("model") { pod in
      inner.use(of: pod, owning: [OwnedScope()], keeper: site.keeper, configure: site.darken) { flow in
        MainActor.assumeIsolated { Model(step: "\(flow.resolve(step)) in \(flow.resolve(site.theme))") }
      }
    }
    await site.expectOwn {
      "step of \($0) in dark"
    } resolve: { pod in
      pod.resolve(model).step
    }
  }

  @Test("R10 R19 R20 a main-actor model that opens a flow later, with the pod that it stored")
  @MainActor
  func modelThatOpensFlowLater() async {
    @MainActor final class Model {
      let pod: Pod
      let user: String
      var flow: Pod?
      init(_ pod: Pod, _ user: String) { (self.pod, self.user) = (pod, user) }
      func openFlow(_ configure: (Pod) -> Void) -> Pod {
        let flow = pod.makeChild("flow", owning: [OwnedScope()], configure: configure)
        self.flow = flow
        return flow
      }
    }
    let site = site
    let step = MainActorProvider("step", scope: OwnedScope()) { pod in "step of \(pod.resolve(site.user))" }
    let model = MainActorProvider("model") { pod in Model(pod, pod.resolve(site.user)) }
    await site.expectOwn {
      "\($0): step of \($0), \($0) in dark"
    } resolve: { pod in
      let model = pod.resolve(model)
      let flow = model.openFlow(site.darken)
      return "\(model.user): \(flow.resolve(step)), \(flow.resolve(site.page))"
    }
  }
}
