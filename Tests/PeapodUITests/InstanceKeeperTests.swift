import Peapod
import Testing

@testable import PeapodUI

/// What `@Resolve` gives to a view.
@MainActor
@Suite("An instance is kept for a view")
struct InstanceKeeperTests {
  private struct SessionScope: ProviderScope {}

  private let pod = Pod()
  private let keeper = InstanceKeeper<Model>()

  private func model(of provider: MainActorProvider<Model>, in pod: Pod? = nil) -> Model {
    keeper.instance(of: .mainActorProvider(provider), in: pod ?? self.pod).value
  }

  @Test("it stays the same while the pod and the provider do, whatever the scope")
  func stays() {
    let providers = [
      MainActorProvider { _ in Model("singleton") },
      MainActorProvider(scope: .alwaysCreateNew) { _ in Model("new") },
      MainActorProvider(scope: .weak) { _ in Model("weak") },
      MainActorProvider(scope: .graph) { _ in Model("graph") },
      MainActorProvider(scope: SessionScope()) { _ in Model("session") },
    ]
    for provider in providers {
      let first = model(of: provider)
      #expect(model(of: provider) === first, "\(first.title)")
    }
  }

  @Test("it stays when its scope is cleared and when its provider is overridden")
  func outlivesChanges() {
    let provider = MainActorProvider(scope: SessionScope()) { _ in Model() }
    let first = model(of: provider)
    pod.clearCachedInstances(forScope: SessionScope())
    #expect(model(of: provider) === first)
    pod.overrideProvider(provider) { _ in Model("override") }
    #expect(model(of: provider) === first)
  }

  @Test("each view has its own of what is built at every resolve, and all share a singleton")
  func sharing() {
    let other = InstanceKeeper<Model>()
    let fresh = MainActorProvider(scope: .alwaysCreateNew) { _ in Model() }
    let shared = MainActorProvider { _ in Model() }
    #expect(model(of: fresh) !== other.instance(of: .mainActorProvider(fresh), in: pod).value)
    #expect(model(of: shared) === other.instance(of: .mainActorProvider(shared), in: pod).value)
  }

  @Test("another pod or another provider gives another one")
  func changes() {
    let provider = MainActorProvider { _ in Model() }
    let first = model(of: provider)
    let second = model(of: provider, in: Pod())
    #expect(first !== second)
    let twin = MainActorProvider { _ in Model() }
    #expect(model(of: twin) !== first)
  }

  @Test("family members with equal arguments are one provider, those with others are not")
  func families() {
    let family = MainActorProvider.family(scope: .alwaysCreateNew) { (_, id: Int) in Model("\(id)") }
    let seven = model(of: family(7))
    #expect(model(of: family(7)) === seven)
    #expect(model(of: family(8)).title == "8")
  }

  @Test("a closure of an older value of the view goes on with its instance, and the view keeps its own")
  func olderValues() {
    let family = MainActorProvider.family(scope: .alwaysCreateNew) { (_, id: Int) in Model("\(id)") }
    let older = keeper.instance(of: .mainActorProvider(family(1)), in: pod)
    let before = older.value
    let newer = keeper.instance(of: .mainActorProvider(family(2)), in: pod)
    let after = newer.value
    #expect(older.value === before)
    #expect(keeper.instance(of: .mainActorProvider(family(2)), in: pod).value === after)
  }

  @Test("it is resolved when it is first read, once")
  func laziness() {
    var builds = 0
    let provider = MainActorProvider(scope: .alwaysCreateNew) { _ in
      builds += 1
      return Model()
    }
    let kept = keeper.instance(of: .mainActorProvider(provider), in: pod)
    #expect(builds == 0)
    _ = (kept.value, kept.value)
    #expect(builds == 1)
  }

  @Test("nil is an instance like any other")
  func absence() {
    var builds = 0
    let provider = MainActorProvider<Model?>(scope: .alwaysCreateNew) { _ in
      builds += 1
      return nil
    }
    let keeper = InstanceKeeper<Model?>()
    #expect(keeper.instance(of: .mainActorProvider(provider), in: pod).value == nil)
    #expect(keeper.instance(of: .mainActorProvider(provider), in: pod).value == nil)
    #expect(builds == 1)
  }

  @Test("a plain provider is resolved too")
  func plain() {
    let provider = Provider(scope: .alwaysCreateNew) { _ in [1, 2, 3] }
    let keeper = InstanceKeeper<[Int]>()
    #expect(keeper.instance(of: .provider(provider), in: pod).value == [1, 2, 3])
  }

  @Test("it goes with the view, and at once when another takes its place")
  func end() {
    weak var first: Model?
    weak var second: Model?
    let family = MainActorProvider.family(scope: .alwaysCreateNew) { (_, id: Int) in Model("\(id)") }
    do {
      let keeper = InstanceKeeper<Model>()
      first = keeper.instance(of: .mainActorProvider(family(1)), in: pod).value
      #expect(first != nil)
      second = keeper.instance(of: .mainActorProvider(family(2)), in: pod).value
      #expect(first == nil)
      #expect(second != nil)
      withExtendedLifetime(keeper) {}
    }
    #expect(second == nil)
  }

  @Test("the end of one instance may ask the same keeper for another")
  func endThatAsks() {
    let keeper = InstanceKeeper<Farewell>()
    let next = MainActorProvider(scope: .alwaysCreateNew) { _ in Farewell {} }
    let goodbye = MainActorProvider(scope: .alwaysCreateNew) { [pod] _ in
      Farewell { _ = keeper.instance(of: .mainActorProvider(next), in: pod) }
    }
    _ = keeper.instance(of: .mainActorProvider(goodbye), in: pod).value
    _ = keeper.instance(of: .mainActorProvider(next), in: pod).value
    #expect(keeper.instance(of: .mainActorProvider(next), in: pod).source == .mainActorProvider(next))
  }

  /// Does something when it ends.
  private final class Farewell: Sendable {
    private let action: @Sendable () -> Void

    init(_ action: @escaping @Sendable () -> Void) {
      self.action = action
    }

    deinit { action() }
  }
}
