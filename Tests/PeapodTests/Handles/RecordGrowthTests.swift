import Peapod
import Testing

/// Rules 3, 6, 26 and 28: what is remembered of instances that are not kept any longer does not grow with their number.
@Suite struct RecordGrowthTests {
  /// One way of asking again and again for what is kept for a short time only.
  enum Use: String, Codable, CaseIterable {
    /// A transient that is built from something graph-scoped, with which it is cleared or not.
    case graphUnderTransient, graphUnderTransientAnew
    case transientUnderTransientAnew
    case graphFamilyUnderTransient
    /// A view for an argument, built from what is kept for that argument.
    case scopedMember, graphMember, transientMember
    /// The same, where the argument is no part of the name.
    case scopedMemberByState
    case localProvider, localProviderUnderGraph
    case handleUnderTransient
    case inChild
  }

  /// Keeps two kinds of factories, as a router does.
  final class Router: Sendable {
    let plain: [@Sendable () -> Part]
    let views: [@Sendable (Int) -> Part]

    init(_ plain: [@Sendable () -> Part], _ views: [@Sendable (Int) -> Part]) {
      self.plain = plain
      self.views = views
    }
  }

  @Test(
    "R3 R6 R26 R28 what is recorded of what is not kept does not grow, with a handle of it or without",
    .disabled(if: keepsFreedMemory || keepsNotesOfMemory), arguments: Use.allCases, [false, true])
  func records(of use: Use, isHeld: Bool) async {
    await #expect(processExitsWith: .success) { [use, isHeld] in
      let number = Locked(0)
      let base = Provider("base", scope: OwnedScope()) { _ in Part("base") }
      let graph = Provider("graph", scope: .graph) { Part("graph", [$0.resolve(base)]) }
      let nested = Provider("nested", scope: .graph) { Part("nested", [$0.resolve(graph)]) }
      let transient = Provider("transient", scope: .alwaysCreateNew) { Part("transient", [$0.resolve(base)]) }
      let user = Provider.family("user", scope: OwnedScope()) { (_: Pod, id: Int) in Part("user \(id)") }
      let graphUser = Provider.family("graph user", scope: .graph) { Part("graph user", [$0.resolve(user($1))]) }
      let newUser = Provider.family("new user", scope: .alwaysCreateNew) { (pod: Pod, _: Int) in
        Part("new user", [pod.resolve(base)])
      }
      let plain = [
        Provider("over graph", scope: .alwaysCreateNew) { Part("over graph", [$0.resolve(nested)]) },
        Provider("over transient", scope: .alwaysCreateNew) { Part("over transient", [$0.resolve(transient)]) },
        Provider("over state", scope: .alwaysCreateNew) { pod in
          Part("over state", [pod.resolve(user(number.withLock { $0 }))])
        },
        Provider("over local", scope: .alwaysCreateNew) { pod in
          let local = Provider("local", scope: OwnedScope()) { Part("local", [$0.resolve(base)]) }
          return Part("over local", [pod.resolve(local)])
        },
        Provider("graph over local", scope: .graph) { pod in
          let local = Provider("local", scope: OwnedScope()) { Part("local", [$0.resolve(base)]) }
          return Part("graph over local", [pod.resolve(local)])
        },
        Provider("over graph user", scope: .alwaysCreateNew) { pod in
          Part("over graph user", [pod.resolve(graphUser(number.withLock { $0 } % 4))])
        },
        Provider("with handles", scope: .alwaysCreateNew) { pod in
          _ = (pod.factory(nested), pod.lazy(transient))
          return Part("with handles")
        },
      ]
      let views = [
        Provider.family("view", scope: .alwaysCreateNew) { Part("view", [$0.resolve(user($1))]) },
        Provider.family("graph view", scope: .alwaysCreateNew) { Part("graph view", [$0.resolve(graphUser($1))]) },
        Provider.family("new view", scope: .alwaysCreateNew) { Part("new view", [$0.resolve(newUser($1))]) },
      ]
      let router = Provider("router") { pod in
        Router(plain.map { pod.factory($0) }, views.map { pod.factory($0) })
      }
      let pod = Pod()
      if isHeld { _ = pod.resolve(router) }
      let kept = (0..<plain.count).map { index in
        Provider("kept \(index)", scope: OwnedScope()) { Part("kept", [$0.resolve(plain[index])]) }
      }
      let page = Provider("page", scope: OuterScope()) { Part("page", [$0.resolve(plain[0])]) }

      func once(_ round: Int) {
        number.withLock { $0 = round }
        func show(_ view: Int) {
          _ = isHeld ? pod.resolve(router).views[view](round) : pod.resolve(views[view](round))
        }
        switch use {
        case .graphUnderTransient:
          _ = pod.resolve(kept[0])
          return pod.clearCachedInstance(of: kept[0])
        case .graphUnderTransientAnew: _ = pod.resolve(kept[0])
        case .transientUnderTransientAnew: _ = pod.resolve(kept[1])
        case .scopedMemberByState: _ = pod.resolve(kept[2])
        case .localProvider: _ = pod.resolve(kept[3])
        case .localProviderUnderGraph: _ = pod.resolve(kept[4])
        case .graphFamilyUnderTransient: _ = pod.resolve(kept[5])
        case .handleUnderTransient: _ = pod.resolve(kept[6])
        case .scopedMember: show(0)
        case .graphMember: show(1)
        case .transientMember: show(2)
        case .inChild: return pod.withChild(owning: [OuterScope()]) { _ = $0.resolve(page) }
        }
        pod.clearCachedInstances(forScope: OwnedScope())
      }

      for round in 0..<1_000 { once(round) }
      let before = residentBytes()
      for round in 1_000..<6_000 { once(round) }
      #expect(residentBytes() - before < 1 << 19)
    }
  }

  @Test("R6 a graph-scoped diamond takes as long as it has instances, however many ways there are through it")
  func diamond() {
    let pod = Pod()
    var level: [Provider<Int>] = []
    for _ in 0..<40 {
      let below = level
      level = (0..<2).map { _ in Provider(scope: .graph) { pod in below.reduce(1) { max($0, pod.resolve($1) + 1) } } }
    }
    let top = level[0]
    for _ in 0..<3 { #expect(pod.resolve(top) == 40) }
  }

  @Test("R22 R26 a handle that led to many members which were built from one another leads to what all were built from")
  func membersOfMembers() {
    let late = Locked<ProviderFamily<Provider<Int>, Int>?>(nil)
    let setting = Provider { _ in 1 }
    let node = Provider.family("node", scope: OwnedScope()) { (pod: Pod, id: Int) in
      let family = late.withLock { $0! }
      return id > 1 ? pod.resolve(family(id - 1)) + pod.resolve(family(id - 2)) * 0 + 1 : pod.resolve(setting)
    }
    late.withLock { $0 = node }
    let view = Provider.family("view", scope: .alwaysCreateNew) { $0.resolve(node($1)) }
    let router = Provider("router") { pod in
      let makers = [pod.factory(view), pod.factory(node)]
      return { @Sendable (id: Int) in makers.map { $0(id) } }
    }
    let root = Pod("root")
    for _ in 0..<2 {
      for id in 1..<200 { #expect(root.resolve(router)(id) == [id, id]) }
      root.clearCachedInstances(forScope: OwnedScope())
    }
    let child = root.makeChild { $0.overrideProvider(setting, withValue: 101) }
    #expect(child.resolve(router)(5) == [105, 105])
    #expect(root.resolve(router)(5) == [5, 5])
  }

  @Test("R3 a transient is recorded again after a clear, and then no longer, whatever it asks for")
  func recordedAgain() {
    let pod = Pod()
    let isOther = Locked(false)
    let base = Provider("base", scope: OwnedScope()) { _ in 1 }
    let other = Provider("other") { _ in 2 }
    let transient = Provider("transient", scope: .alwaysCreateNew) { pod in
      pod.resolve(isOther.withLock { $0 } ? other : base)
    }
    let kept = Provider("kept") { $0.resolve(transient) }
    func builds() -> Int { pod.graph.nodes.filter { $0.provider.name == "transient" }.map(\.buildCount).reduce(0, +) }
    #expect(pod.resolve(transient) == 1)
    isOther.withLock { $0 = true }
    #expect(pod.resolve(kept) == 2)
    pod.clearCachedInstances(forScope: OwnedScope())
    #expect(pod.resolve(transient) == 2)
    let before = builds()
    for _ in 0..<100 { _ = pod.resolve(transient) }
    #expect(builds() == before)
  }
}
