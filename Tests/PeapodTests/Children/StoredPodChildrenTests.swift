import Peapod
import Testing

/// Rules 20 and 27: pods below a stored pod whose own pod has gone.
@Suite(.timeLimit(.minutes(20))) struct StoredPodChildrenTests {
  private struct PageScope: ProviderScope {}

  /// Stores the pod that its builder was given.
  private final class Keeper: Sendable {
    let pod: Pod
    init(_ pod: Pod) { self.pod = pod }
  }

  /// A pod that a builder was given, and that outlives the pod for which the builder ran.
  private static func storedPod(_ use: (Pod) -> Void = { _ in }) -> Pod {
    let pod = Pod()
    let stored = pod.resolve(Provider { Keeper($0) }).pod
    use(stored)
    return stored
  }

  @Test("R27 what a child made before its pod went keeps is disposed when the stored pod is")
  func disposeReachesEarlierChild() {
    let disposed = Log(of: String.self)
    let page = Provider(scope: PageScope(), { _ in "page" }, onDispose: { disposed.append($0) })
    var children: [Pod] = []
    let stored = Self.storedPod { children.append($0.makeChild(owning: [PageScope()])) }
    #expect(children[0].resolve(page) == "page")
    stored.dispose()
    #expect(disposed.entries == ["page"])
    #expect(!children[0].isCached(page))
    withExtendedLifetime(children) {}
  }

  @Test("R27 the end of a child made before its pod went leaves those made after it below the stored pod")
  func endOfEarlierChild() {
    let disposed = Log(of: String.self)
    let page = Provider(scope: PageScope(), { _ in "page" }, onDispose: { disposed.append($0) })
    let one = Provider { _ in 1 }
    var earlier: [Pod] = []
    let stored = Self.storedPod { earlier.append($0.makeChild()) }
    #expect(earlier[0].resolve(one) == 1)
    let later = stored.makeChild(owning: [PageScope()])
    #expect(later.resolve(page) == "page")
    earlier = []
    stored.dispose()
    #expect(disposed.entries == ["page"])
    withExtendedLifetime(later) {}
  }

  @Test("R27 children made before their pod went end, and the stored pod is used on (AddressSanitizer)")
  func endOfSeveralEarlierChildren() {
    let one = Provider { _ in 1 }
    var children: [Pod] = []
    let stored = Self.storedPod { stored in children = (0..<4).map { stored.makeChild("\($0)") } }
    #expect(children[3].resolve(one) == 1)
    children.removeLast()
    children = []
    stored.dispose()
    #expect(stored.resolve(one) == 1)
  }

  @Test("R19 R26 R27 an override that an ended parent had counts for a child's holder of a factory")
  func questionOfEndedParent() {
    final class Holder: Sendable {
      let make: @Sendable () -> Int
      init(_ make: @escaping @Sendable () -> Int) { self.make = make }
    }
    let number = Provider { _ in 0 }
    let holder = Provider(scope: PageScope()) { Holder($0.factory(number)) }
    func makeChild() -> (Pod, Pod) {
      let root = Pod()
      root.overrideProvider(number, withValue: 1)
      let stored = root.resolve(Provider { Keeper($0) }).pod
      let child = stored.makeChild(owning: [PageScope()])
      #expect(child.resolve(holder).make() == 1)
      return (stored, child)
    }
    let (stored, child) = makeChild()
    let inner = child.makeChild { $0.overrideProvider(number, withValue: 2) }
    #expect(inner.resolve(holder).make() == 2)
    #expect(child.resolve(holder).make() == 1)
    withExtendedLifetime(stored) {}
  }
}
