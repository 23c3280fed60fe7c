import Peapod
import Testing

/// Rules 26 and 27: what holds a handle goes before what the handle leads to, and otherwise the latest goes first.
@Suite struct TeardownOrderOfHandlesTests {
  /// Stores handles.
  final class Holder: Sendable {
    let makers: [@Sendable () -> Int]
    init(_ makers: [@Sendable () -> Int]) { self.makers = makers }
  }

  private let log = Log<String>()

  private func declare(_ name: String, scope: some ProviderScope = SingletonScope(), _ parts: [Provider<Int>] = [])
    -> Provider<Int>
  {
    let log = log
    return Provider(
      name, scope: scope, { pod in parts.reduce(1) { $0 + pod.resolve($1) } }, onDispose: { _ in log.append(name) })
  }

  private func declareHolder(
    _ name: String, scope: some ProviderScope = SingletonScope(), of targets: [Provider<Int>],
    _ parts: [Provider<Int>] = []
  ) -> Provider<Holder> {
    let log = log
    return Provider(
      name, scope: scope,
      { pod in
        for part in parts { _ = pod.resolve(part) }
        return Holder(targets.map { pod.factory($0) })
      }, onDispose: { _ in log.append(name) })
  }

  @Test("R27 those that waited for one holder go latest first")
  func several() {
    let targets = ["one", "two", "three"].map { declare($0) }
    let holder = declareHolder("holder", of: targets)
    let pod = Pod()
    for make in pod.resolve(holder).makers { _ = make() }
    pod.dispose()
    #expect(log.entries == ["holder", "three", "two", "one"])
  }

  @Test("R27 what only a handle leads to keeps its place among the others")
  func place() {
    let (first, target, third) = (declare("first"), declare("target"), declare("third"))
    let holder = declareHolder("holder", of: [target])
    let pod = Pod()
    for provider in [first, target, third] { _ = pod.resolve(provider) }
    _ = pod.resolve(holder)
    pod.dispose()
    #expect(log.entries == ["holder", "third", "target", "first"])
  }

  @Test(
    "R26 R27 what a closure clears waits for the closure, also where a handle and an instance without one lie between")
  func clearedByClosure() {
    let log = log
    let pod = Pod()
    let target = declare("target", scope: OwnedScope())
    let holder = Provider("holder") { pod in Holder([pod.factory(target)]) }
    let dependent = Provider("dependent") { pod in
      Part("dependent \(pod.resolve(holder).makers.count)")
    } onDispose: { [weak pod] _ in
      pod?.clearCachedInstances(forScope: OwnedScope())
      log.append("dependent")
    }
    _ = pod.resolve(dependent)
    _ = pod.resolve(target)
    pod.clearCachedInstance(of: dependent)
    #expect(log.entries == ["dependent", "target"])
  }

  @Test("R20 R27 an instance of the root does not wait for a holder in a child that owns the scope")
  func ownedByChild() {
    let target = declare("target", scope: OwnedScope())
    let (holder, other) = (declareHolder("holder", of: [target]), declare("other"))
    let root = Pod()
    let child = root.makeChild(owning: [OwnedScope()])
    _ = child.resolve(holder)
    _ = root.resolve(other)
    _ = root.resolve(target)
    root.dispose()
    #expect(log.entries == ["target", "other", "holder"])
  }

  @Test("R26 R27 a holder goes before what its handle leads to now, also where it was built from what that was before")
  func both() {
    let target = declare("target", scope: OwnedScope())
    let holder = declareHolder("holder", of: [target], [target])
    let pod = Pod()
    _ = pod.resolve(holder)
    pod.clearCachedInstances(forScope: OwnedScope())
    _ = pod.resolve(target)
    pod.dispose()
    #expect(log.entries == ["target", "holder", "target"])
  }

  @Test("R26 R27 a holder goes before what a transient, or a weak instance that has gone, was built from")
  func throughWhatIsNotKept() {
    let base = declare("base")
    let transient = Provider(scope: .alwaysCreateNew) { $0.resolve(base) }
    let weak = Provider(scope: .weak) { Part("weak \($0.resolve(base))") }
    let log = log
    let first = declareHolder("first", of: [transient])
    let second = Provider("second") { pod in
      pod.factory(weak)
    } onDispose: { _ in
      log.append("second")
    }
    let pod = Pod()
    let make = pod.resolve(second)
    for make in pod.resolve(first).makers { _ = make() }
    _ = make()
    pod.clearCachedInstance(of: base)
    _ = pod.resolve(transient)
    _ = make()
    pod.dispose()
    #expect(log.entries == ["base", "first", "second", "base"])
  }

  /// What comes between a handle and what has a hook.
  enum Way: CaseIterable { case transient, graph, transientOverTransient, transientOverGraph, transientOverGraphFamily }

  @Test("R26 R27 a holder goes before what its factory uses since a scope was cleared", arguments: Way.allCases)
  func sinceThen(_ way: Way) {
    let base = declare("base", scope: OwnedScope())
    let transient = Provider("transient", scope: .alwaysCreateNew) { $0.resolve(base) }
    let graph = Provider("graph", scope: .graph) { $0.resolve(base) }
    let graphFamily = Provider.family("graph", scope: .graph) { (pod: Pod, _: Int) in pod.resolve(base) }
    let target =
      switch way {
      case .transient: transient
      case .graph: graph
      case .transientOverTransient: Provider("target", scope: .alwaysCreateNew) { $0.resolve(transient) }
      case .transientOverGraph: Provider("target", scope: .alwaysCreateNew) { $0.resolve(graph) }
      case .transientOverGraphFamily: Provider("target", scope: .alwaysCreateNew) { $0.resolve(graphFamily(1)) }
      }
    let holder = declareHolder("holder", of: [target])
    let pod = Pod()
    let make = pod.resolve(holder).makers[0]
    // At the second time nothing is recorded of a transient any longer.
    for _ in 0..<3 { _ = make() }
    pod.clearCachedInstances(forScope: OwnedScope())
    for _ in 0..<3 { _ = make() }
    pod.dispose()
    #expect(log.entries == ["base", "holder", "base"])
  }

  @Test("R27 a legal loop changes the order of nothing else in its pod")
  func loop() {
    let late = Locked<Provider<Int>?>(nil)
    let log = log
    let entrance = Provider("entrance") { pod in
      Holder([pod.factory(late.withLock { $0! })])
    } onDispose: { _ in
      log.append("entrance")
    }
    let inside = Provider("inside") { pod in
      pod.resolve(entrance).makers.count
    } onDispose: { _ in
      log.append("inside")
    }
    late.withLock { $0 = inside }
    let target = declare("target")
    let holder = declareHolder("holder", of: [target])
    let pod = Pod()
    for make in pod.resolve(entrance).makers { _ = make() }
    for make in pod.resolve(holder).makers { _ = make() }
    pod.dispose()
    #expect(log.entries == ["holder", "target", "inside", "entrance"])
    late.withLock { $0 = nil }
  }

  @Test("R26 R27 what was built from one of a legal loop goes before all of it, and what one was built from after all")
  func besideLoop() {
    let late = Locked<Provider<Int>?>(nil)
    let log = log
    let base = declare("base")
    let entrance = Provider("entrance") { pod in
      Holder([pod.factory(late.withLock { $0! })])
    } onDispose: { _ in
      log.append("entrance")
    }
    let user = Provider("user") { pod in
      pod.resolve(entrance).makers.count
    } onDispose: { _ in
      log.append("user")
    }
    let inside = Provider("inside") { pod in
      pod.resolve(entrance).makers.count + pod.resolve(base)
    } onDispose: { _ in
      log.append("inside")
    }
    late.withLock { $0 = inside }
    let pod = Pod()
    _ = pod.resolve(user)
    for make in pod.resolve(entrance).makers { _ = make() }
    pod.dispose()
    #expect(log.entries == ["user", "inside", "entrance", "base"])
    late.withLock { $0 = nil }
  }

  @Test("R26 R27 a holder of several handles follows one to what was built again, and still depends on the others")
  func oneOfSeveral() {
    let targets = [declare("first", scope: OwnedScope()), declare("second"), declare("third")]
    let holder = declareHolder("holder", of: targets)
    let pod = Pod()
    let held = pod.resolve(holder)
    for make in held.makers { _ = make() }
    pod.clearCachedInstances(forScope: OwnedScope())
    _ = held.makers[0]()
    for target in targets {
      pod.overrideProvider(target, withValue: 7)
      #expect(!pod.isCached(holder))
      pod.removeOverrideProvider(target)
      #expect(pod.resolve(holder) === held)
    }
    pod.dispose()
    #expect(log.entries == ["first", "holder", "first", "third", "second"])
  }

  @Test("R27 a child that goes with the one above it is disposed first")
  func childFirst() {
    let log = log
    let owned = Provider(scope: OwnedScope()) {
      $0.name
    } onDispose: {
      log.append($0)
    }
    do {
      let root = Pod("root")
      var lowest: Pod? = root.makeChild("child", owning: [OwnedScope()])
      _ = lowest?.resolve(owned)
      lowest = lowest?.makeChild("grandchild", owning: [OwnedScope()])
      _ = lowest?.resolve(owned)
      lowest = nil
    }
    #expect(log.entries == ["grandchild", "child"])
  }
}
