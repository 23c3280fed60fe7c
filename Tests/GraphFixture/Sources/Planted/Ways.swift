import Peapod
import PlantedCore

// finding: error: throughFunction [singleton] keeps screenThing [ScreenScope], which can be cleared under it. [captive]
let throughFunction = Provider { pod in makeThing(in: pod) }

// finding: error: byFunction [singleton] keeps screenThing [ScreenScope], which can be cleared under it. [captive]
let byFunction = Provider(nil, makeThing(in:))

struct Service: Sendable {
  let thing: Thing

  init(pod: Pod) {
    thing = pod.resolve(sessionThing)
  }
}

// finding: error: throughInitializer [singleton] keeps sessionThing [SessionScope], which can be cleared under it. [captive]
let throughInitializer = Provider { pod in Service(pod: pod) }

struct Wrapped: Sendable {
  @Injected(sessionThing) var thing: Thing
}

// finding: error: throughWrapper [singleton] keeps sessionThing [SessionScope], which can be cleared under it. [captive]
let throughWrapper = Provider { _ in Wrapped() }

class Base: @unchecked Sendable {
  @Injected(screenThing) var thing: Thing
}

final class Derived: Base, @unchecked Sendable {
  override init() {}
}

// finding: error: throughSuperclass [singleton] keeps screenThing [ScreenScope], which can be cleared under it. [captive]
let throughSuperclass = Provider { _ in Derived() }

extension Pod {
  var sessionValue: Thing { resolve(sessionThing) }
}

// finding: error: throughPod [singleton] keeps sessionThing [SessionScope], which can be cleared under it. [captive]
let throughPod = Provider { pod in Thing(pod.sessionValue) }

let sessionAlias = sessionThing
var forwarded: Provider<Thing> { sessionAlias }
// finding: error: throughAlias [singleton] keeps sessionThing [SessionScope], which can be cleared under it. [captive]
let throughAlias = Provider { pod in Thing(pod.resolve(forwarded)) }

// finding: error: throughClosure [singleton] keeps sessionThing [SessionScope], which can be cleared under it. [captive]
let throughClosure = Provider { pod in [1, 2].map { _ in pod.resolve(sessionThing) } }

// finding: error: inBranch [singleton] keeps sessionThing [SessionScope], which can be cleared under it. [captive]
let inBranch = Provider { pod in
  if Bool.random() { return Thing("}", #"{"#) }
  return Thing("text \(pod.resolve(sessionThing))")  // } {
}

// finding: error: byClosure [SessionScope] keeps screenThing [ScreenScope], which can be cleared under it. [captive]
let byClosure: Provider<Thing> = {
  let name = "by closure"
  return Provider(name, scope: SessionScope()) { pod in Thing(pod.resolve(screenThing)) }
}()

func declare<Value: Sendable>(_ build: @escaping @Sendable (Pod) -> Value) -> Provider<Value> {
  Provider(scope: SessionScope(), build)
}

// A function of the program makes the provider, so the use of its closure is uncertain.
// finding: warning: declared [SessionScope] may keep screenThing [ScreenScope], which can be cleared under it. [captive]
let declared = declare { pod in Thing(pod.resolve(screenThing)) }

// Uncertain.
// finding: warning: inTask [singleton] may keep sessionThing [SessionScope], which can be cleared under it. [captive]
let inTask = Provider { pod in Task { pod.resolve(sessionThing) } }

// finding: warning: inClosure [singleton] may keep sessionThing [SessionScope], which can be cleared under it. [captive]
let inClosure = Provider { pod -> @Sendable () -> Thing in { pod.resolve(sessionThing) } }

protocol Maker: Sendable {
  func make(_ pod: Pod) -> Thing
}

struct SessionMaker: Maker {
  func make(_ pod: Pod) -> Thing { pod.resolve(sessionThing) }
}

// finding: warning: throughProtocol [singleton] may keep sessionThing [SessionScope], which can be cleared under it. [captive]
let throughProtocol = Provider { pod in
  let maker: any Maker = SessionMaker()
  return maker.make(pod)
}

// finding: warning: inLocalFunction [singleton] may keep sessionThing [SessionScope], which can be cleared under it. [captive]
let inLocalFunction = Provider { pod in
  func make() -> Thing { pod.resolve(sessionThing) }
  return Thing(make())
}

// finding: warning: inChild [singleton] may keep sessionThing [SessionScope], which can be cleared under it. [captive]
let inChild = Provider { pod in pod.withChild(owning: [SessionScope()]) { Thing($0.resolve(sessionThing)) } }

// finding: warning: fromGlobal [singleton] may keep sessionThing [SessionScope], which can be cleared under it. [captive]
let fromGlobal = Provider { _ in Thing(Pod.shared.resolve(sessionThing)) }

enum OtherPods {
  static let main = Pod("main")
  static let all = [Pod("one"), Pod("two")]
}

// finding: warning: fromLocal [singleton] may keep sessionThing [SessionScope], which can be cleared under it. [captive]
let fromLocal = Provider { _ in
  let other = OtherPods.main
  return Thing(other.resolve(sessionThing))
}

// finding: warning: fromEach [singleton] may keep sessionThing [SessionScope], which can be cleared under it. [captive]
let fromEach = Provider { _ in OtherPods.all.map { $0.resolve(sessionThing) } }

// finding: warning: fromEachNamed [singleton] may keep sessionThing [SessionScope], which can be cleared under it. [captive]
let fromEachNamed = Provider { _ in OtherPods.all.map { other in other.resolve(sessionThing) } }

// finding: warning: throughOtherPod [singleton] may keep sessionThing [SessionScope], which can be cleared under it. [captive]
let throughOtherPod = Provider { _ in Thing(OtherPods.main.sessionValue) }

// finding: warning: throughOtherService [singleton] may keep sessionThing [SessionScope], which can be cleared under it. [captive]
let throughOtherService = Provider { _ in Service(pod: OtherPods.main) }

// finding: warning: throughOtherFunction [singleton] may keep screenThing [ScreenScope], which can be cleared under it. [captive]
let throughOtherFunction = Provider { _ in makeThing(in: OtherPods.main) }

// A deferred dependency that is resolved where it is made.
// finding: error: lazyAtOnce [singleton] keeps sessionThing [SessionScope], which can be cleared under it. [captive]
let lazyAtOnce = Provider { pod in Thing(pod.lazy(sessionThing).value) }

// finding: error: factoryAtOnce [singleton] keeps sessionThing [SessionScope], which can be cleared under it. [captive]
let factoryAtOnce = Provider { pod in Thing(pod.factory(sessionThing)()) }

// finding: error: prepared [singleton] keeps sessionThing [SessionScope], which can be cleared under it. [captive]
let prepared = AsyncProvider { pod in
  try await pod.prepare(plainThing, sessionThing)
  return Thing()
}

protocol OwnedScope: ProviderScope {}

extension OwnedScope {
  var requiresOwner: Bool { true }
}

struct OwnedByProtocol: OwnedScope {}

let ownedThing = Provider(scope: OwnedByProtocol()) { _ in Thing() }
// finding: warning: ownedByProtocol [singleton] keeps ownedThing [OwnedByProtocol], which belongs to one owner. It then lives in that owner's pod, and not as long as a singleton. [captive]
let ownedByProtocol = Provider { pod in Thing(pod.resolve(ownedThing)) }

// finding: warning: peeking [singleton] may keep sessionThing [SessionScope], which can be cleared under it. [captive]
let peeking = Provider { pod in pod.cachedInstance(of: sessionThing) }

// finding: warning: ofDynamic [ScreenScope] may keep dynamicThing [DynamicScope], which can be cleared under it. [captive]
let ofDynamic = Provider(scope: ScreenScope()) { pod in Thing(pod.resolve(dynamicThing)) }

// Brackets in texts, comments and regular expressions are no code; interpolations are.
// finding: error: inOddText [singleton] keeps sessionThing [SessionScope], which can be cleared under it. [captive]
let inOddText = Provider { pod in
  let pattern = /[{("]/
  let raw = ##"}}"# \##(pattern) }"##
  #if DEBUG
    let numbers = [1].map { $0 }
  #else
    let numbers = [2]
  #endif
  let text = """
    } \(numbers.map { "\($0) }" }) \(pod.resolve(sessionThing)) "{
    """
  return Thing("\(raw)", text)
}

// A generic call, a closure with a capture list in parentheses, and two trailing closures.
// finding: warning: inCaptures [singleton] may keep sessionThing [SessionScope], which can be cleared under it. [captive]
let inCaptures = Provider<@Sendable () -> Thing>(
  "captures",
  scope: .singleton,
  { pod in
    { [pod] in pod.resolve(sessionThing) }
  },
  onDispose: { _ in _ = Pod.shared.resolve(screenThing) })

// The default of a property that an initializer may set, and an argument that is evaluated later.
struct Defaulted: Sendable {
  var thing = Pod.current.resolve(sessionThing)
}

// finding: warning: withDefault [singleton] may keep sessionThing [SessionScope], which can be cleared under it. [captive]
let withDefault = Provider { _ in Defaulted(thing: Thing()) }

func evaluateLater(_ thing: @autoclosure @escaping @Sendable () -> Thing) -> @Sendable () -> Thing { thing }

// finding: warning: inAutoclosure [singleton] may keep sessionThing [SessionScope], which can be cleared under it. [captive]
let inAutoclosure = Provider { pod in evaluateLater(pod.resolve(sessionThing)) }
