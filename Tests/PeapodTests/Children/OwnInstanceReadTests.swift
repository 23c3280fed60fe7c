import Peapod
import Testing

/// Rules 8 and 19: a child reads what it caches itself with its own lock, and gets a copy.
@Suite struct OwnInstanceReadTests {
  private final class Token: Sendable {}
  private struct Basket: Sendable {
    let token: Token
    let items: [Int]
  }
  private final class Greeting: Sendable {
    let text: String
    init(_ text: String) { self.text = text }
  }
  private struct RequestScope: ProviderScope {}

  @Test("R8 R20 R27 a child reads references and other values that it caches, and releases them at its end")
  func reads() {
    let basket = Provider(scope: RequestScope()) { _ in Basket(token: Token(), items: [1, 2]) }
    let token = Provider(scope: RequestScope()) { pod in pod.resolve(basket).token }
    let optional = Provider<Token?>(scope: RequestScope()) { pod in pod.resolve(token) }
    let root = Pod()
    weak var last: Token?
    do {
      let child = root.makeChild(owning: [RequestScope()])
      let first = child.resolve(token)
      last = first
      for _ in 0..<3 {
        #expect(child.resolve(token) === first)
        #expect(child.resolve(basket).token === first)
        #expect(child.resolve(optional) === first)
        child.withResolved(token) { #expect($0 === first) }
        child.withResolved(basket) { #expect($0.items == [1, 2]) }
        #expect(child.cachedInstance(of: basket)?.token === first)
      }
    }
    #expect(last == nil)
  }

  @Test("R15 R19 a child reads the instance of the override that takes effect now")
  func definitions() {
    let name = Provider { _ in "root" }
    let greeting = Provider { pod in Greeting(pod.resolve(name)) }
    let root = Pod()
    let child = root.makeChild { $0.overrideProvider(name) { _ in "child" } }
    let original = child.resolve(greeting)
    #expect(original.text == "child")
    child.overrideProvider(name) { _ in "again" }
    #expect(child.resolve(greeting).text == "again")
    #expect(child.resolve(greeting).text == "again")
    child.overrideProvider(greeting) { _ in Greeting("own") }
    #expect(child.resolve(greeting).text == "own")
    #expect(child.resolve(greeting).text == "own")
    root.overrideProvider(greeting) { _ in Greeting("of the root") }
    #expect(child.resolve(greeting).text == "own")
    child.removeOverrideProvider(greeting)
    #expect(child.resolve(greeting).text == "of the root")
    root.removeOverrideProvider(greeting)
    let last = child.resolve(greeting)
    #expect(last.text == "again")
    #expect(child.resolve(greeting) === last)
  }

  @Test("R15 R19 a child does not read its own instance when a pod outside has changed a dependency")
  func dependencyOfAnotherPod() {
    let other = Pod("other")
    let name = Provider { _ in "before" }
    let greeting = Provider(scope: RequestScope()) { _ in Greeting(other.resolve(name)) }
    let child = Pod().makeChild(owning: [RequestScope()])
    #expect(child.resolve(greeting).text == "before")
    #expect(child.resolve(greeting) === child.resolve(greeting))
    other.overrideProvider(name) { _ in "after" }
    #expect(child.resolve(greeting).text == "after")
  }

  @Test("R15 a builder that resolves from a stored child depends on a value that the child caches")
  func builderOfStoredChild() {
    let child = Pod().makeChild(owning: [RequestScope()])
    let text = Provider(scope: RequestScope()) { _ in "before" }
    let greeting = Provider(scope: RequestScope()) { _ in Greeting(child.resolve(text)) }
    #expect(child.resolve(text) == "before")
    #expect(child.resolve(greeting).text == "before")
    child.overrideProvider(text) { _ in "after" }
    #expect(child.resolve(greeting).text == "after")
  }

  @Test("R18 in an override scope of a child, its own cached values are not read")
  func overrideScope() {
    let child = Pod().makeChild(owning: [RequestScope()])
    let text = Provider(scope: RequestScope()) { _ in "outside" }
    let greeting = Provider(scope: RequestScope()) { pod in Greeting(pod.resolve(text)) }
    let outside = child.resolve(greeting)
    child.withOverrides {
      $0.overrideProvider(text) { _ in "inside" }
    } operation: {
      #expect(child.resolve(text) == "inside")
      #expect(child.resolve(greeting).text == "inside")
    }
    #expect(child.resolve(text) == "outside")
    #expect(child.resolve(greeting) === outside)
  }

  @Test("R15 R19 a builder that resolves from the pod of another builder gets what that builder's child overrides")
  func podOfAnotherBuilder() throws {
    let root = Pod()
    let name = Provider { _ in Greeting("root") }
    let warm = Provider(scope: RequestScope()) { pod in pod.resolve(name) }
    let overriding = root.makeChild { $0.overrideProvider(name) { _ in Greeting("child") } }
    let other = root.makeChild(owning: [RequestScope()])
    // Afterwards the root shares its instance with builders for children. The overrides come first, since a new one outdates the masks.
    for _ in 0..<4 { #expect(root.makeChild(owning: [RequestScope()]).resolve(warm).text == "root") }
    let builderPod = Locked<Pod?>(nil)
    let inner = Provider(scope: RequestScope()) { _ in
      Greeting(builderPod.withLock { $0 }?.resolve(name).text ?? "no pod")
    }
    let outer = Provider { pod in
      _ = pod.resolve(name)
      builderPod.withLock { $0 = pod }
      return Greeting(other.resolve(inner).text)
    }
    #expect(overriding.resolve(outer).text == "child")
  }

  @Test("R8 R25 threads read what a child caches while it is cleared and overridden")
  func races() async {
    let scope = RequestScope()
    let basket = Provider(scope: scope) { _ in Basket(token: Token(), items: [1, 2]) }
    let token = Provider(scope: scope) { _ in Token() }
    let child = Pod().makeChild(owning: [scope])
    let other = Token()
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<4 {
        group.addTask {
          for round in 0..<2_000 {
            #expect(child.resolve(basket).items == [1, 2])
            _ = child.resolve(token)
            child.withResolved(basket) { #expect($0.items.count == 2) }
            switch (number, round % 50) {
            case (0, 0): child.clearCachedInstances(forScope: scope)
            case (1, 0): child.overrideProvider(token) { _ in other }
            case (1, 25): child.removeOverrideProvider(token)
            default: break
            }
          }
        }
      }
    }
  }
}
