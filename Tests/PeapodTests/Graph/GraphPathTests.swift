import Peapod
import Testing

/// Rule 34: the chain that explains a dependency.
@Suite struct GraphPathTests {
  @Test("R34 a path is a shortest chain from a dependent to a dependency")
  func shortest() {
    let base = Provider("base") { _ in 0 }
    let middle = Provider("middle") { $0.resolve(base) }
    let detour = Provider("detour") { $0.resolve(middle) }
    let top = Provider("top") { $0.resolve(detour) + $0.resolve(middle) }
    let pod = Pod()
    _ = pod.resolve(top)
    let graph = pod.graph
    #expect(graph.path(from: top, to: base)?.map(\.name) == ["top", "middle", "base"])
    #expect(graph.path(from: top, to: detour)?.map(\.name) == ["top", "detour"])
    #expect(graph.path(from: top, to: top)?.map(\.name) == ["top"])
    #expect(graph.path(from: base, to: top) == nil)
  }

  @Test("R34 a path goes through deferred dependencies, and around a dependency cycle of them only once")
  func deferred() {
    let pod = Pod()
    _ = pod.resolve(henProvider).egg.value
    #expect(pod.graph.path(from: henProvider, to: shellProvider)?.map(\.name) == ["hen", "egg", "shell"])
    #expect(pod.graph.path(from: eggProvider, to: henProvider)?.map(\.name) == ["egg", "hen"])
  }

  @Test("R17 R28 R34 a decorator has the dependencies of what it decorates too", arguments: [false, true])
  func decorator(isCleared: Bool) {
    let base = Provider("base") { _ in 1 }
    let extra = Provider("extra") { _ in 2 }
    let number = Provider("number") { $0.resolve(base) }
    let top = Provider("top") { $0.resolve(number) }
    let root = Pod()
    root.overrideProvider(number) { $0.resolve(extra) + $0.resolve(number) }
    let child = root.makeChild { $0.overrideProvider(number) { $0.resolve(number) } }
    for pod in [root, child] {
      #expect(pod.resolve(top) == 3)
      if isCleared { pod.clearCachedInstance(of: number) }
      let graph = pod.graph
      #expect(graph.dependencies(of: number).map(\.name) == ["base", "extra"])
      #expect(graph.dependents(of: base).map(\.name) == ["number"])
      #expect(graph.path(from: top, to: base)?.map(\.name) == ["top", "number", "base"])
    }
  }

  @Test("R34 a path to a provider that was never built is nil")
  func unknown() {
    let (one, two) = (Provider { _ in 1 }, Provider { _ in 2 })
    let pod = Pod()
    _ = pod.resolve(one)
    #expect(pod.graph.path(from: one, to: two) == nil)
    #expect(pod.graph.path(from: two, to: one) == nil)
    #expect(pod.graph.path(from: two, to: two) == nil)
  }
}

private struct Hen: Sendable { let egg: Lazy<Egg> }
private struct Egg: Sendable { let hen: Hen, shell: String }

private let shellProvider = Provider("shell") { _ in "shell" }
private let henProvider: Provider<Hen> = Provider("hen") { pod in Hen(egg: pod.lazy(eggProvider)) }
private let eggProvider: Provider<Egg> = Provider("egg") { pod in
  Egg(hen: pod.resolve(henProvider), shell: pod.resolve(shellProvider))
}
