import Peapod
import PlantedCore

// A function, initializer or closure that may receive another pod than the builder's own. The other pod owns the screen, so
// no error is certain.

struct Page: Sendable {
  let thing: Thing

  init(_ pod: Pod) { thing = makeThing(in: pod) }
  init(number: Int = 0, in pod: Pod = .current) { thing = makeThing(in: pod) }
}

func screenPod(of pod: Pod) -> Pod { pod.makeChild(owning: [ScreenScope()]) }
func makeOnScreen(in pod: Pod) -> Thing { makeThing(in: pod.makeChild(owning: [ScreenScope()])) }
func inOverrideScope<Result>(of pod: Pod, _ body: () -> Result) -> Result {
  pod.withOverrides({ $0.overrideProvider(screenThing, withValue: Thing()) }, operation: body)
}
func indirectly<Result>(_ pod: Pod, _ body: () -> Result) -> Result { inOverrideScope(of: pod) { body() } }
func evaluate(_ pod: Pod, _ thing: @autoclosure () -> Thing) -> Thing { inOverrideScope(of: pod) { thing() } }
func first(_ first: Pod, or second: Pod) -> Thing { makeThing(in: second) }
func measure<Result>(_ name: String = "", pod: Pod, _ body: () -> Result) -> Result { body() }

protocol Running { func run<Result>(_ body: () -> Result) -> Result }
struct Runner {
  let pod: Pod
  func run<Result>(_ body: () -> Result) -> Result { inOverrideScope(of: pod, body) }
}
extension Runner: Running {}
func run(_ runner: some Running, in pod: Pod) -> Thing { runner.run { pod.resolve(screenThing) } }

extension Pod {
  var onScreen: Pod { makeChild(owning: [ScreenScope()]) }
  var screenValue: Thing { resolve(screenThing) }
  func makeScreenValue() -> Thing { self.screenValue }
  subscript(number: Int) -> Thing { resolve(screenThing) }
  func onScreen<Result>(_ body: (Pod) -> Result) -> Result { withChild(owning: [ScreenScope()], operation: body) }
}

// finding: warning: givesChild [singleton] may keep screenThing [ScreenScope], which can be cleared under it. [captive]
let givesChild = Provider { pod in makeThing(in: pod.makeChild(owning: [ScreenScope()])) }

// finding: warning: givesProperty [singleton] may keep screenThing [ScreenScope], which can be cleared under it. [captive]
let givesProperty = Provider { pod in makeThing(in: pod.onScreen) }

// finding: warning: givesResult [singleton] may keep screenThing [ScreenScope], which can be cleared under it. [captive]
let givesResult = Provider { pod in makeThing(in: screenPod(of: pod)) }

// finding: warning: givesToInitializer [singleton] may keep screenThing [ScreenScope], which can be cleared under it. [captive]
let givesToInitializer = Provider { pod in Page(pod.onScreen) }

// finding: warning: givesDefault [singleton] may keep screenThing [ScreenScope], which can be cleared under it. [captive]
let givesDefault = Provider { pod in Page(number: 1) }

// finding: warning: givesSecond [singleton] may keep screenThing [ScreenScope], which can be cleared under it. [captive]
let givesSecond = Provider { pod in first(pod, or: pod.onScreen) }

// finding: warning: givesInFunction [singleton] may keep screenThing [ScreenScope], which can be cleared under it. [captive]
let givesInFunction = Provider { pod in makeOnScreen(in: pod) }

// finding: warning: asksProperty [singleton] may keep screenThing [ScreenScope], which can be cleared under it. [captive]
let asksProperty = Provider { pod in pod.onScreen.screenValue }

// finding: warning: asksMethod [singleton] may keep screenThing [ScreenScope], which can be cleared under it. [captive]
let asksMethod = Provider { pod in screenPod(of: pod).makeScreenValue() }

// finding: warning: asksSubscript [singleton] may keep screenThing [ScreenScope], which can be cleared under it. [captive]
let asksSubscript = Provider { pod in pod.onScreen[0] }

// finding: warning: inOwnClosure [singleton] may keep screenThing [ScreenScope], which can be cleared under it. [captive]
let inOwnClosure = Provider { pod in pod.onScreen { makeThing(in: $0) } }

// finding: warning: inCalledClosure [singleton] may keep screenThing [ScreenScope], which can be cleared under it. [captive]
let inCalledClosure = Provider { pod in { makeThing(in: $0) }(pod.onScreen) }

// finding: warning: inCapture [singleton] may keep screenThing [ScreenScope], which can be cleared under it. [captive]
let inCapture = Provider { pod in { [pod = pod.onScreen] in makeThing(in: pod) }() }

// finding: warning: inHiddenAlias [singleton] may keep screenThing [ScreenScope], which can be cleared under it. [captive]
let inHiddenAlias = Provider { pod in
  let same = pod
  return { [same = same.onScreen] in makeThing(in: same) }()
}

// finding: warning: inVariable [singleton] may keep screenThing [ScreenScope], which can be cleared under it. [captive]
let inVariable = Provider { pod in
  var same = pod
  same = same.onScreen
  return makeThing(in: same)
}

// finding: warning: inShadow [singleton] may keep screenThing [ScreenScope], which can be cleared under it. [captive]
let inShadow = Provider { pod in
  let same = pod
  do {
    let same = same.onScreen
    return makeThing(in: same)
  }
}

// finding: warning: inTuple [singleton] may keep screenThing [ScreenScope], which can be cleared under it. [captive]
let inTuple = Provider { root in
  let (_, pod) = (1, root.onScreen)
  return makeThing(in: pod)
}

// finding: warning: overridden [singleton] may keep screenThing [ScreenScope], which can be cleared under it. [captive]
let overridden = Provider { pod in inOverrideScope(of: pod) { pod.resolve(screenThing) } }

// finding: warning: overriddenIndirectly [singleton] may keep screenThing [ScreenScope], which can be cleared under it. [captive]
let overriddenIndirectly = Provider { pod in indirectly(pod) { makeThing(in: pod) } }

// finding: warning: overriddenArgument [singleton] may keep screenThing [ScreenScope], which can be cleared under it. [captive]
let overriddenArgument = Provider { pod in evaluate(pod, pod.resolve(screenThing)) }

// finding: warning: overriddenByProtocol [singleton] may keep screenThing [ScreenScope], which can be cleared under it. [captive]
let overriddenByProtocol = Provider { pod in run(Runner(pod: pod), in: pod) }

func makeLeaf(in pod: Pod) -> Int { pod.resolve(overriddenLeaf) }

// finding: warning: overriding → overriddenLeaf → overriding may be a dependency cycle. Break it with lazy or factory. [cycle]
let overriding: Provider<Int> = Provider { pod in
  makeLeaf(in: pod.makeChild { $0.overrideProvider(overriddenLeaf, withValue: 4) })
}
let overriddenLeaf: Provider<Int> = Provider { pod in pod.resolve(overriding) }

// The builder's own pod, for certain.

// finding: error: ownInClosure [singleton] keeps screenThing [ScreenScope], which can be cleared under it. [captive]
let ownInClosure = Provider { pod in measure(pod: pod) { pod.resolve(screenThing) } }

// finding: error: ownArgument [singleton] keeps screenThing [ScreenScope], which can be cleared under it. [captive]
let ownArgument = Provider { pod in Page(number: 3, in: pod) }

// finding: error: ownMethod [singleton] keeps screenThing [ScreenScope], which can be cleared under it. [captive]
let ownMethod = Provider { pod in pod.makeScreenValue() }

// finding: error: ownSubscript [singleton] keeps screenThing [ScreenScope], which can be cleared under it. [captive]
let ownSubscript = Provider { pod in pod[0] }

// finding: error: ownBuilder [singleton] keeps screenThing [ScreenScope], which can be cleared under it. [captive]
let ownBuilder = Provider(nil, Page.init(_:))

// finding: error: ownAlias [singleton] keeps screenThing [ScreenScope], which can be cleared under it. [captive]
let ownAlias = Provider { pod in
  let same = pod
  return makeThing(in: same)
}
