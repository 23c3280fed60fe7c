import Foundation
import Testing

@testable import Peapod

/// Rules 11, 15, 27 and 31: a build that ends beside a change leaves nothing that the change concerns.
@Suite(.timeLimit(.minutes(20))) struct CommitDuringChangeTests {
  private struct PageScope: ProviderScope {}

  @Test("R11 R31 no build ends while a change looks through the instances")
  func endsAfterChange() async throws {
    let pod = Pod()
    let (hasBegun, mayEnd) = (Gate(), Gate())
    let provider = Provider { _ in
      hasBegun.open()
      mayEnd.wait()
      return 1
    }
    let build = Worker { pod.resolve(provider) }
    await hasBegun.pass()
    let isCachedMeanwhile = pod.state.changing { _ in
      pod.state.revision.wrappingAdd(1, ordering: .releasing)
      mayEnd.open()
      // The builder ends meanwhile.
      for _ in 0..<100 where !pod.isCached(provider) { usleep(1_000) }
      pod.state.revision.wrappingAdd(1, ordering: .releasing)
      return pod.isCached(provider)
    }
    #expect(!isCachedMeanwhile)
    #expect(try await build.value() == 1)
    #expect(pod.isCached(provider))
  }

  @Test("R11 R20 a child is disposed while a builder asks for what the child overrides")
  func dependentMoves() async throws {
    final class Page: Sendable {
      let part: Tracked
      init(_ part: Tracked) { self.part = part }
    }
    let part = Provider { _ in Tracked() }
    let (hasBegun, mayAsk) = (Gate(), Gate())
    let page = Provider { pod in
      hasBegun.open()
      mayAsk.wait()
      return Page(pod.resolve(part))
    }
    let root = Pod("root")
    let child = root.makeChild("child") { $0.overrideProvider(part) { _ in Tracked() } }
    let build = Worker { child.resolve(page) }
    await hasBegun.pass()
    let pending = root.state.withLock { held in root.state.instances(of: page.declaration, held).compactMap(\.build) }
    // The builder's instance cannot move to the child meanwhile.
    let disposal = pending[0].lock.withLock {
      mayAsk.open()
      usleep(100_000)
      let disposal = Worker { child.dispose() }
      usleep(100_000)
      return disposal
    }
    try await disposal.value()
    _ = try await build.value()
    #expect(child.resolve(page).part === child.resolve(part))
  }

  @Test(
    "R11 R15 an override that comes during a build, and goes during the dependent build, leaves no disposed dependency")
  func overrideOfMoment() {
    struct OwnScope: ProviderScope {}
    let root = Pod("root")
    let pod = root.makeChild(owning: [OwnScope()])
    let isFirst = Locked(true)
    let override = Locked<@Sendable () -> Void>({})
    let part = Provider { _ in
      if isFirst.withLock({ $0 }) { override.withLock { $0 }() }
      return Tracked()
    }
    override.withLock { $0 = { pod.overrideProvider(part, withValue: Tracked()) } }
    let page = Provider { page in
      let found = page.resolve(part)
      if isFirst.withLock({ $0 }) { pod.removeOverrideProvider(part) }
      return Tracked(keeping: [found])
    }
    _ = pod.resolve(page)
    isFirst.withLock { $0 = false }
    #expect(pod.resolve(page).parts.first as? Tracked === pod.resolve(part))
  }

  enum Use: CaseIterable, Sendable { case resolve, lazy, factory, transient }

  @Test(
    "R11 R27 the dispose of a child within a nested build leaves no dependent of what it disposed",
    arguments: Use.allCases)
  func disposeInNestedBuild(use: Use) {
    let root = Pod("root")
    let base = Provider { _ in Tracked() }
    let child = root.makeChild("child") { $0.overrideProvider(base) { _ in Tracked() } }
    let isFirst = Locked(true)
    let part = Provider(scope: PageScope()) { pod in
      let found = pod.resolve(base)
      if isFirst.withLock({ $0 }) { child.dispose() }
      return Tracked(keeping: [found])
    }
    let between = Provider(scope: .alwaysCreateNew) { $0.resolve(part) }
    let page = Provider(scope: PageScope()) { pod in
      let found =
        switch use {
        case .resolve: pod.resolve(part)
        case .lazy: pod.lazy(part).value
        case .factory: pod.factory(part)()
        case .transient: pod.resolve(between)
        }
      return Tracked(keeping: [found])
    }
    _ = child.resolve(page)
    isFirst.withLock { $0 = false }
    #expect(child.resolve(page).parts.first as? Tracked === child.resolve(part))
  }

  @Test(
    "R11 R20 R27 a clear or dispose() of the root leaves no dependent of what it disposed in a child",
    arguments: [true, false])
  func clearBeforeRecord(isClear: Bool) async throws {
    let root = Pod("root")
    let others = (0..<50).map { root.makeChild("\($0)") }
    for round in 0..<120 {
      let base = Provider(scope: PageScope()) { _ in Tracked() }
      let part = Provider(scope: PageScope()) { Tracked(keeping: [$0.resolve(base)]) }
      let pages = (0..<40).map { _ in Provider(scope: PageScope()) { Tracked(keeping: [$0.resolve(part)]) } }
      let child = root.makeChild("child") { $0.overrideProvider(base) { _ in Tracked() } }
      _ = child.resolve(part)
      try await runThreads(2) { thread in
        if thread == 0 { return pages.forEach { _ = child.resolve($0) } }
        for _ in 0..<(round % 40 * 50) { Delay.step() }
        if isClear { root.clearCachedInstances(forScope: PageScope()) } else { root.dispose() }
      }
      let kept = child.resolve(part)
      #expect(pages.allSatisfy { child.resolve($0).parts.first as? Tracked === kept })
      root.dispose()
    }
    withExtendedLifetime(others) {}
  }

  @Test("R27 R31 a change also visits a child that is made after the change has looked through the parent")
  func lateChild() {
    let root = Pod("root")
    var children: [Pod] = []
    let visited = root.state.changing { retained in
      root.state.subtree(retained) { if $0 === root.state { children.append(root.makeChild("late")) } }
    }
    #expect(visited.map(\.name) == ["root", "late"])
    withExtendedLifetime(children) {}
  }

  @Test("R31 a dependent whose build ends beside a refresh is built again")
  func refresh() async throws {
    final class Top: Sendable {
      let base: Tracked
      init(_ base: Tracked) { self.base = base }
    }
    let base = Provider { _ in Tracked() }
    let top = Provider { Top($0.resolve(base)) }
    let others = (0..<1_000).map { number in Provider { _ in number } }
    let pod = Pod()
    for other in others { _ = pod.resolve(other) }
    for round in 0..<rounds(2_000) {
      _ = pod.resolve(base)
      try await runThreads(2) { thread in
        if thread == 0 { pod.refresh(base) } else { _ = pod.resolve(top) }
      }
      #expect(pod.resolve(top).base === pod.resolve(base), "round \(round)")
      pod.refresh(base)
    }
  }

  @Test("R15 R26 a Lazy does not keep the value of an override that is removed during its first use")
  func lazy() async throws {
    struct Page: Sendable { let title: Lazy<String> }
    let title = Provider { _ in "plain" }
    let page = Provider { Page(title: $0.lazy(title)) }
    let root = Pod()
    let (hasBegun, mayEnd) = (Gate(), Gate())
    let lazy = root.resolve(page).title
    root.overrideProvider(title) { _ in
      hasBegun.open()
      mayEnd.wait()
      return "changed"
    }
    let value = Worker { lazy.value }
    await hasBegun.pass()
    root.removeOverrideProvider(title)
    mayEnd.open()
    _ = try await value.value()
    #expect(root.resolve(page).title.value == "plain")
  }

  @Test("R26 R31 a builder that has used its Lazy when the value is refreshed builds again")
  func lazyOfBuilder() async throws {
    final class Page: Sendable {
      let base: Lazy<Tracked>
      init(_ base: Lazy<Tracked>) { self.base = base }
    }
    let base = Provider { _ in Tracked() }
    let (hasBegun, mayEnd) = (Gate(), Gate())
    let page = Provider { pod in
      let page = Page(pod.lazy(base))
      _ = page.base.value
      hasBegun.open()
      mayEnd.wait()
      return page
    }
    let pod = Pod()
    let build = Worker { pod.resolve(page) }
    await hasBegun.pass()
    pod.refresh(base)
    mayEnd.open()
    _ = try await build.value()
    #expect(pod.resolve(page).base.value === pod.resolve(base))
  }

  @Test("R15 R27 a child gets another parent during a build, and the override that the build used is removed")
  func otherParent() async throws {
    let (unrelated, another) = (Provider { _ in 0 }, Provider { _ in 0 })
    let setting = Provider { _ in "plain" }
    let (hasBegun, mayEnd) = (Gate(), Gate())
    let page = Provider(scope: PageScope()) { pod in
      let text = pod.resolve(setting)
      if !hasBegun.isOpen {
        hasBegun.open()
        mayEnd.wait()
      }
      return text
    }
    let root = Pod("root")
    root.overrideProvider(setting) { _ in "changed" }
    let request = root.makeChild("request") {
      $0.overrideProvider(unrelated, withValue: 1)
      $0.overrideProvider(another, withValue: 1)
    }
    // The instance lives in the root, although the builder runs for the request.
    let keeper = Provider { pod in
      let child = pod.makeChild("child", owning: [PageScope()])
      let build = Worker { child.resolve(page) }
      hasBegun.wait()
      return (child, build)
    }
    let (child, build) = try await blocking { request.resolve(keeper) }
    root.removeOverrideProvider(setting)
    mayEnd.open()
    _ = try await build.value()
    #expect(child.resolve(page) == "plain")
  }
}
