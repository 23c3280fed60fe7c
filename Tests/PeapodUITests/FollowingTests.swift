import Observation
import Peapod
import Testing

@testable import PeapodUI

/// What `@Resolve(provider, following: true)` gives to a view.
@MainActor
@Suite("R32: A view follows a provider", .timeLimit(.minutes(20)))
struct FollowingTests {
  private let pod = Pod()
  private let keeper = InstanceKeeper<Model>()

  private func kept(of provider: MainActorProvider<Model>) -> KeptInstance<Model> {
    let source = InstanceSource.mainActorProvider(provider)
    return keeper.instance(of: source, in: pod, following: Following(source))
  }

  /// Draws the view, and calls back when what was drawn has changed.
  private func draw(_ instance: KeptInstance<Model>, onChange: @escaping @Sendable () -> Void = {}) -> Model {
    withObservationTracking {
      instance.value
    } onChange: {
      onChange()
    }
  }

  /// Draws the view, changes something, and returns what the view then draws.
  private func drawAgain(_ instance: KeptInstance<Model>, after change: () -> Void) async -> Model {
    await withCheckedContinuation { continuation in
      _ = draw(instance) { continuation.resume() }
      change()
    }
    // The callback comes before the change is visible.
    await Task.yield()
    return draw(instance)
  }

  @Test("R32 It gets the override, and then the original, the same instance, and is redrawn each time")
  func overrideAndRemoval() async {
    let provider = MainActorProvider { _ in Model("original") }
    let instance = kept(of: provider)
    let original = draw(instance)
    #expect(original === pod.resolve(provider))
    let override = await drawAgain(instance) { pod.overrideProvider(provider) { _ in Model("override") } }
    #expect(override.title == "override" && override === pod.resolve(provider))
    #expect(await drawAgain(instance) { pod.removeOverrideProvider(provider) } === original)
    #expect(kept(of: provider) === instance)
  }

  @Test("R32 It stays, and is not redrawn, while other providers change")
  func untouched() async {
    let builds = Counter()
    let provider = MainActorProvider(scope: .alwaysCreateNew) { _ in
      builds.count += 1
      return Model()
    }
    let other = Provider { _ in 1 }
    let instance = kept(of: provider)
    let first = draw(instance) { Issue.record("nothing has changed") }
    for number in 0..<10 {
      pod.overrideProvider(other, withValue: number)
      await Task.yield()
    }
    #expect(draw(instance) === first && builds.count == 1)
  }

  @Test("R32 Without following, it stays the same")
  func withoutFollowing() async {
    let provider = MainActorProvider { _ in Model() }
    let instance = keeper.instance(of: .mainActorProvider(provider), in: pod)
    let first = draw(instance) { Issue.record("the view does not follow") }
    pod.refresh(provider)
    for _ in 0..<20 { await Task.yield() }
    #expect(draw(instance) === first)
  }

  @Test("R32 The view's end ends the following, and the model of the view is released")
  func viewEnds() async {
    let provider = MainActorProvider { _ in Model() }
    weak var released: KeptInstance<Model>?
    do {
      let source = InstanceSource.mainActorProvider(provider)
      let instance = InstanceKeeper<Model>().instance(of: source, in: pod, following: Following(source))
      _ = draw(instance)
      for _ in 0..<20 { await Task.yield() }
      released = instance
    }
    #expect(released == nil)
    weak var model = pod.resolve(provider)
    #expect(model != nil)
    pod.dispose()
    #expect(model == nil)
  }
}

@MainActor
private final class Counter {
  var count = 0
  nonisolated init() {}
}
