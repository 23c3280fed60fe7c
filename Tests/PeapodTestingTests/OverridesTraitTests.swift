import Peapod
import PeapodTesting
import Synchronization
import Testing

private let globalPod = Pod("global")
private let tokenProvider = Provider("token") { _ in -1 }
private let headerProvider = Provider("header") { pod in "token \(pod.resolve(tokenProvider))" }
private let nextToken = Atomic(0)
private let seenTokens = Mutex<Set<Int>>([])

@Suite("The trait .overrides(of:)", .overrides(of: globalPod) { $0.overrideProvider(numberProvider, withValue: 1) })
struct OverridesTraitTests {
  @Test("R18 acts on the pod that the code under test resolves from, which is Pod.current too")
  func actsOnThePod() {
    #expect(globalPod.resolve(doubledProvider) == 2)
    #expect(Pod.current.resolve(doubledProvider) == 2)
    #expect(Pod.current === globalPod)
  }

  @Test(
    "R18 a test's own overrides add to those of its suite",
    .overrides(of: globalPod) { $0.overrideProvider(apiProvider) { _ in MockAPI() } })
  func adds() async {
    await Task.yield()
    #expect(globalPod.resolve(apiProvider).name() == "mock")
    #expect(globalPod.resolve(numberProvider) == 1)
  }

  @Test("the innermost trait decides what Pod.current is", .pod { $0.overrideProvider(numberProvider, withValue: 5) })
  func podInside() {
    #expect(Pod.current.resolve(numberProvider) == 5)
    #expect(globalPod.resolve(numberProvider) == 1)
  }
}

@Test(
  "R18 the trait .overrides(of:) leaves the pod itself as it was",
  .after { #expect(!globalPod.isCached(configProvider)) }, .overrides(of: globalPod))
func leavesNothing() {
  _ = globalPod.resolve(configProvider)
  #expect(globalPod.isCached(configProvider))
}

@Suite("1,000 parallel cases with different overrides of one global provider")
struct ThousandCasesTests {
  @Test(
    "R18 each see only their own, made by the trait",
    .after { #expect(globalPod.resolve(headerProvider) == "token -1") },
    .overrides(of: globalPod) { pod in
      let token = nextToken.add(1, ordering: .relaxed).newValue
      pod.overrideProvider(tokenProvider, withValue: token)
    }, arguments: 0..<1000)
  func byTrait(_: Int) async {
    let token = globalPod.resolve(tokenProvider)
    #expect(token > 0)
    #expect(seenTokens.withLock { $0.insert(token).inserted })
    for _ in 0..<3 {
      await Task.yield()
      #expect(globalPod.resolve(headerProvider) == "token \(token)")
    }
  }

  @Test(
    "R18 each see only their own, made in the test", .overrides(of: globalPod) { _ in }, arguments: 0..<1000)
  func inTheTest(number: Int) async {
    globalPod.overrideProvider(tokenProvider, withValue: number)
    for _ in 0..<3 {
      await Task.yield()
      #expect(globalPod.resolve(headerProvider) == "token \(number)")
    }
  }

  @Test("R18 each see only their own while all of them are inside at once")
  func allInside() async {
    let gate = Gate(expecting: 1000)
    await withTaskGroup { group in
      for number in 0..<1000 {
        group.addTask {
          await globalPod.withOverrides({ $0.overrideProvider(tokenProvider, withValue: number) }) {
            await gate.pass()
            #expect(globalPod.resolve(headerProvider) == "token \(number)")
          }
        }
      }
    }
    #expect(globalPod.resolve(headerProvider) == "token -1")
  }
}
