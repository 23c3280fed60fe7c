import Peapod
import Testing

@testable import PeapodUI

/// What `.childPod(owning:)` and the pod of a preview are for a view.
@MainActor
@Suite("A pod is made for a view")
struct PodKeeperTests {
  private struct FlowScope: ProviderScope {
    var requiresOwner: Bool { true }
  }

  private let parent = Pod()
  private let titleProvider = Provider { _ in "live" }
  private let flowProvider = MainActorProvider(scope: FlowScope()) { _ in Model() }

  @Test("one child is made for a view, with the overrides of that moment")
  func once() {
    let keeper = PodKeeper()
    var configurations = 0
    let child = keeper.child(of: parent, owning: [FlowScope()]) {
      configurations += 1
      $0.overrideProvider(titleProvider) { _ in "first" }
    }
    let again = keeper.child(of: parent, owning: [FlowScope()]) {
      configurations += 1
      $0.overrideProvider(titleProvider) { _ in "second" }
    }
    #expect(child === again)
    #expect(configurations == 1)
    #expect(child.parent === parent)
    #expect(child.resolve(titleProvider) == "first")
    #expect(parent.resolve(titleProvider) == "live")
  }

  @Test("the child owns the scopes, and shares the rest with its parent")
  func owning() {
    let shared = Provider { _ in Box() }
    let one = PodKeeper().child(of: parent, owning: [FlowScope()]) { _ in }
    let two = PodKeeper().child(of: parent, owning: [FlowScope()]) { _ in }
    #expect(one.resolve(flowProvider) !== two.resolve(flowProvider))
    #expect(one.resolve(flowProvider) === one.resolve(flowProvider))
    #expect(one.resolve(shared) === two.resolve(shared))
  }

  @Test("the child is made again below another parent")
  func otherParent() {
    let keeper = PodKeeper()
    let other = Pod()
    let first = keeper.child(of: parent, owning: []) { _ in }
    let second = keeper.child(of: other, owning: []) { _ in }
    #expect(first !== second)
    #expect(second.parent === other)
    #expect(keeper.child(of: other, owning: []) { _ in } === second)
  }

  @Test("the child goes with the view, and what it kept is disposed")
  func end() {
    var disposed: [String] = []
    let provider = MainActorProvider(scope: FlowScope()) { _ in
      Model("flow")
    } onDispose: {
      disposed.append($0.title)
    }
    weak var child: Pod?
    weak var model: Model?
    do {
      let keeper = PodKeeper()
      child = keeper.child(of: parent, owning: [FlowScope()]) { _ in }
      model = child?.resolve(provider)
      #expect(model != nil)
      #expect(disposed.isEmpty)
      withExtendedLifetime(keeper) {}
    }
    #expect(child == nil)
    #expect(model == nil)
    #expect(disposed == ["flow"])
  }

  @Test("a child that is replaced goes too")
  func replacement() {
    let keeper = PodKeeper()
    weak let first = keeper.child(of: parent, owning: []) { _ in }
    #expect(first != nil)
    _ = keeper.child(of: Pod(), owning: []) { _ in }
    #expect(first == nil)
    withExtendedLifetime(keeper) {}
  }

  @Test("the pod of a preview shares nothing with another, and is made once")
  func previews() {
    let provider = MainActorProvider { _ in Model() }
    let keeper = PodKeeper()
    let one = keeper.root(owning: []) { $0.overrideProvider(titleProvider) { _ in "preview" } }
    let two = PodKeeper().root(owning: []) { _ in }
    #expect(keeper.root(owning: []) { _ in } === one)
    #expect(one.parent == nil)
    #expect(one.resolve(titleProvider) == "preview")
    #expect(two.resolve(titleProvider) == "live")
    #expect(one.resolve(provider) !== two.resolve(provider))
    #expect(!Pod.shared.isCached(provider))
  }

  @Test("the pod of a preview owns what a flow requires an owner for")
  func previewOfAFlow() {
    var model: Model?
    let pod = PodKeeper().root(owning: [FlowScope()]) {
      $0.overrideProvider(titleProvider) { _ in "preview" }
      model = $0.resolve(flowProvider)
    }
    #expect(pod.resolve(flowProvider) === model)
    #expect(pod.resolve(titleProvider) == "preview")
  }

  private final class Box: Sendable {}
}
