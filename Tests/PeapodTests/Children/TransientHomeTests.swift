import Peapod
import Testing

/// Rule 19, of transients that a child is asked for, as by a request: they live where what they were built from does.
@Suite struct TransientHomeTests {
  /// Keeps the pod that its builder was given.
  private struct Keeper {
    let pod: Pod
    var factory: (@Sendable () -> Part)?
  }

  /// A root, a child that overrides one thing and owns a scope, and one below that overrides another.
  private final class Tree {
    let setting = Provider("setting") { _ in Part("setting") }
    let other = Provider("other") { _ in Part("other") }
    let shared = Provider("shared") { _ in Part("shared") }
    let scoped = Provider("scoped", scope: OwnedScope()) { _ in Part("scoped") }
    let root = Pod("root")
    let child: Pod
    let lowest: Pod

    init() {
      let (setting, other) = (setting, other)
      child = root.makeChild("child", owning: [OwnedScope()]) {
        $0.overrideProvider(setting, withValue: Part("SETTING"))
      }
      lowest = child.makeChild("lowest") { $0.overrideProvider(other) { _ in Part("OTHER") } }
    }
  }

  enum Asked: CaseIterable, Sendable { case nothing, shared, setting, other, both, scoped, factory, throughTransient }

  @Test(
    "R19 a transient lives in the outermost pod that would build it so, and so does its pod", arguments: Asked.allCases)
  func home(_ asked: Asked) {
    let tree = Tree()
    let (setting, other, shared, scoped) = (tree.setting, tree.other, tree.shared, tree.scoped)
    let part = Provider("part", scope: .alwaysCreateNew) { pod in [pod.resolve(setting)] }
    let keeper = Provider("keeper", scope: .alwaysCreateNew) { pod -> Keeper in
      var keeper = Keeper(pod: pod)
      switch asked {
      case .nothing: break
      case .shared: _ = pod.resolve(shared)
      case .setting: _ = (pod.resolve(shared), pod.resolve(setting))
      case .other: _ = (pod.resolve(other), pod.resolve(shared))
      case .both: _ = (pod.resolve(other), pod.resolve(setting))
      case .scoped: _ = pod.resolve(scoped)
      case .factory: keeper.factory = pod.factory(setting)
      case .throughTransient: _ = pod.resolve(part)
      }
      return keeper
    }
    let expected =
      switch asked {
      case .nothing, .shared: "root"
      case .setting, .scoped, .factory, .throughTransient: "child"
      case .other, .both: "lowest"
      }
    for _ in 0..<3 {
      let kept = tree.lowest.resolve(keeper)
      #expect(kept.pod.name == expected)
      #expect(kept.pod.resolve(setting).recipe == (expected == "root" ? "setting" : "SETTING"))
      #expect(kept.pod.resolve(other).recipe == (expected == "lowest" ? "OTHER" : "other"))
      #expect(kept.factory.map { $0().recipe == "SETTING" } ?? true)
    }
    #expect(tree.root.resolve(keeper).pod.name == "root")
  }

  @Test("R19 an overridden transient lives where its override is")
  func overridden() {
    let tree = Tree()
    let keeper = Provider("keeper", scope: .alwaysCreateNew) { Keeper(pod: $0) }
    tree.child.overrideProvider(keeper) { Keeper(pod: $0) }
    #expect(tree.lowest.resolve(keeper).pod.name == "child")
    tree.child.removeOverrideProvider(keeper)
    #expect(tree.lowest.resolve(keeper).pod.name == "root")
  }

  @Test("R28 the graph of a child shows what a transient was built from")
  func drawn() {
    let tree = Tree()
    let (setting, shared) = (tree.setting, tree.shared)
    let service = Provider("service", scope: .alwaysCreateNew) { pod in [pod.resolve(shared), pod.resolve(setting)] }
    _ = tree.child.resolve(service)
    #expect(tree.child.graph.dependencies(of: service).map(\.name) == ["setting", "shared"])
    #expect(tree.root.graph.dependents(of: setting).isEmpty)
  }

  @Test("R11 R15 an override that is removed while a transient is built is not remembered of it")
  func changedMeanwhile() {
    let tree = Tree()
    let (child, setting) = (tree.child, tree.setting)
    let service = Provider("service", scope: .alwaysCreateNew) { pod in
      let part = pod.resolve(setting)
      child.removeOverrideProvider(setting)
      return [part]
    }
    #expect(child.resolve(service).map(\.recipe) == ["SETTING"])
    #expect(child.graph.dependencies(of: service).isEmpty)
  }

  @Test("R2 R19 R26 what holds a handle of a transient that is just being built for a child is the root's")
  func handleMeanwhile() {
    final class Coordinator: Sendable {
      let make: @Sendable () -> String
      init(_ make: @escaping @Sendable () -> String) { self.make = make }
    }
    let unrelated = Provider { _ in 1 }
    let root = Pod("root")
    let coordinators = Locked<Provider<Coordinator>?>(nil)
    let screen = Provider("screen", scope: .alwaysCreateNew) { pod -> String in
      _ = coordinators.withLock { $0 }.map { pod.resolve($0) }
      return pod.name
    }
    let coordinator = Provider("coordinator") { Coordinator($0.factory(screen)) }
    coordinators.withLock { $0 = coordinator }
    let child = root.makeChild("child") { $0.overrideProvider(unrelated, withValue: 2) }
    _ = child.resolve(screen)
    #expect(child.resolve(coordinator) === root.resolve(coordinator))
  }

  @Test(
    "R15 R19 a builder depends on what an inner transient resolved, also when that transient's override was replaced")
  func replacedMeanwhile() {
    let setting = Provider("setting") { _ in 1 }
    let dependency = Provider("dependency") { _ in 0 }
    let transient = Provider("transient", scope: .alwaysCreateNew) { _ in 0 }
    let user = Provider("user") { $0.resolve(transient) }
    let whole = Provider("whole") { pod in
      let inner = pod.makeChild {
        $0.overrideProvider(dependency) { $0.resolve(setting) }
        $0.overrideProvider(transient) { [unowned inner = $0] pod in
          let value = pod.resolve(dependency)
          inner.overrideProvider(transient) { _ in 0 }
          return value
        }
      }
      return inner.resolve(user)
    }
    let pod = Pod()
    #expect(pod.resolve(whole) == 1)
    pod.overrideProvider(setting, withValue: 2)
    #expect(pod.resolve(whole) == 2)
  }

  @Test("R28 durations of transients in a child are no less than nothing")
  func durations() {
    let tree = Tree()
    let (setting, shared) = (tree.setting, tree.shared)
    let service = Provider("service", scope: .alwaysCreateNew) { pod in [pod.resolve(shared), pod.resolve(setting)] }
    _ = tree.child.resolve(service)
    for node in tree.child.graph.nodes {
      #expect(node.exclusiveDuration >= .zero && node.inclusiveDuration >= node.exclusiveDuration)
    }
  }
}
