import Peapod
import Testing

/// Rules 8 and 19: what a child caches, seen through its own children, by the masks that the child stores.
@Suite struct GrandchildSharingTests {
  private struct SessionScope: ProviderScope {}

  private let root = Pod("root")
  private let setting = Provider("setting") { _ in 1 }
  private let clock = Provider("clock") { _ in 1 }
  private let other = Provider("other") { _ in 1 }

  private func request(of session: Pod, _ overridden: Provider<Int>) -> Pod {
    session.makeChild("request") { $0.overrideProvider(overridden, withValue: 10) }
  }

  @Test(
    "R19 a grandchild shares what its override does not concern, however late the override is the first of its provider"
  )
  func masks() {
    let (setting, clock) = (setting, clock)
    let session = root.makeChild("session") { $0.overrideProvider(setting) { _ in 2 } }
    let store = Provider("store") { pod in Part("store \(pod.resolve(setting))") }
    let page = Provider("page") { pod in Part("page \(pod.resolve(clock))", [pod.resolve(store)]) }
    let known = session.resolve(page)
    #expect(known.label == "page 1")
    // The first stores the mask. The next have a bit in common with it, which the mask lacks at first.
    for _ in 0..<2 { #expect(request(of: session, other).resolve(page) === known) }
    #expect(request(of: session, setting).resolve(page) !== known)
    let own = request(of: session, clock)
    #expect(own.resolve(page).label == "page 10")
    #expect(own.resolve(store) === session.resolve(store))
    for _ in 0..<2 { #expect(request(of: session, other).resolve(page) === known) }
  }

  @Test("R19 the mask of a cleared instance does not count for the next one, which has other dependencies")
  func nextInstance() {
    let (setting, clock) = (setting, clock)
    let usesClock = Locked(false)
    let page = Provider("page", scope: SessionScope()) { pod in
      Part("page \(pod.resolve(usesClock.withLock { $0 } ? clock : setting))")
    }
    let session = root.makeChild("session", owning: [SessionScope()])
    // So that both have bits from the start.
    _ = (request(of: session, clock), request(of: session, setting))
    let first = session.resolve(page)
    for _ in 0..<2 { #expect(request(of: session, clock).resolve(page) === first) }
    session.clearCachedInstances(forScope: SessionScope())
    usesClock.withLock { $0 = true }
    let second = session.resolve(page)
    #expect(request(of: session, clock).resolve(page).label == "page 10")
    for _ in 0..<2 { #expect(request(of: session, setting).resolve(page) === second) }
  }

  @Test("R19 R26 a mask does not stand for the answers to deferred dependencies")
  func deferredAnswers() {
    let clock = clock
    let answer = Provider("answer") { pod in pod.resolve(clock) }
    let holder = Provider("holder", scope: SessionScope()) { pod in
      _ = pod.factory(answer)
      return Part("holder")
    }
    let session = root.makeChild("session", owning: [SessionScope()])
    let known = session.resolve(holder)
    for _ in 0..<2 { #expect(request(of: session, clock).resolve(holder) === known) }
    #expect(session.resolve(answer) == 1)
    #expect(request(of: session, clock).resolve(holder) !== known)
  }

  @Test("R10 R19 a mask does not stand for what was resolved from another pod")
  func otherPod() {
    let setting = setting
    let elsewhere = Pod("elsewhere")
    let page = Provider("page", scope: SessionScope()) { _ in Part("page \(elsewhere.resolve(setting))") }
    let session = root.makeChild("session", owning: [SessionScope()])
    let known = session.resolve(page)
    for _ in 0..<2 { #expect(request(of: session, other).resolve(page) === known) }
    elsewhere.overrideProvider(setting, withValue: 3)
    #expect(session.resolve(page).label == "page 3")
    #expect(request(of: session, other).resolve(page).label == "page 3")
  }
}
