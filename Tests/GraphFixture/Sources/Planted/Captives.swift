import Peapod
import PlantedCore

// finding: error: appThing [singleton] keeps screenThing [ScreenScope], which can be cleared under it. [captive]
let appThing = Provider { pod in Thing(pod.resolve(screenThing)) }

// finding: error: outerThing [SessionScope] keeps screenThing [ScreenScope], which can be cleared under it. [captive]
let outerThing = Provider(scope: SessionScope()) { pod in Thing(pod.resolve(screenThing)) }

// finding: error: scopeConstant [ScreenScope] keeps leftThing [Kind.left], which can be cleared under it. [captive]
let scopeConstant = Provider(scope: sharedScreen) { pod in Thing(pod.resolve(leftThing)) }

// Clearing the other scope clears the session and the screen too.
// finding: error: inOther [OtherScope] keeps sessionThing [SessionScope], which can be cleared under it. [captive]
let inOther = Provider(scope: OtherScope()) { pod in Thing(pod.resolve(sessionThing)) }
let soundInScreen = Provider(scope: .screen) { pod in Thing(pod.resolve(inOther)) }

struct OtherScope {}
extension OtherScope: ProviderScope {
  var children: [any ProviderScope] { [SessionScope()] }
}

// Enumerations: a case is a scope.
// finding: error: documentKeeper [AppScope.document] keeps leftThing [Kind.left], which can be cleared under it. [captive]
let documentKeeper = Provider(scope: AppScope.document) { pod in Thing(pod.resolve(leftThing)) }

// finding: error: rightKeeper [Kind.right] keeps leftThing [Kind.left], which can be cleared under it. [captive]
let rightKeeper = Provider(scope: Kind.right) { pod in Thing(pod.resolve(leftThing)) }

// Through what no pod caches for long.
let freshThing = Provider(scope: .alwaysCreateNew) { pod in Thing(pod.resolve(screenThing)) }
let fresherThing = Provider(scope: AlwaysCreateNewScope()) { pod in Thing(pod.resolve(freshThing)) }
let graphThing = Provider(scope: .graph) { pod in Thing(pod.resolve(sessionThing)) }
let weakKeeper = Provider(scope: .weak) { pod in Thing(pod.resolve(sessionThing)) }

// finding: error: throughTransients [singleton] keeps screenThing [ScreenScope], which can be cleared under it. [captive]
let throughTransients = Provider { pod in Thing(pod.resolve(fresherThing)) }

// finding: error: throughGraph [singleton] keeps sessionThing [SessionScope], which can be cleared under it. [captive]
let throughGraph = Provider { pod in Thing(pod.resolve(graphThing)) }

// finding: error: throughWeak [singleton] keeps sessionThing [SessionScope], which can be cleared under it. [captive]
let throughWeak = Provider { pod in Thing(pod.resolve(weakKeeper)) }

// An owned scope.
// finding: warning: ownedKeeper [singleton] keeps requestThing [RequestScope], which belongs to one owner. It then lives in that owner's pod, and not as long as a singleton. [captive]
let ownedKeeper = Provider { pod in Thing(pod.resolve(requestThing)) }

// finding: error: ownedInSession [SessionScope] keeps requestThing [RequestScope], which can be cleared under it. [captive]
let ownedInSession = Provider(scope: SessionScope()) { pod in Thing(pod.resolve(requestThing)) }

// Kinds and families.
// finding: error: throwingKeeper [singleton] keeps sessionThing [SessionScope], which can be cleared under it. [captive]
let throwingKeeper = ThrowingProvider { pod in Thing(pod.resolve(sessionThing)) }

// finding: error: asyncKeeper [singleton] keeps sessionThing [SessionScope], which can be cleared under it. [captive]
let asyncKeeper = AsyncProvider { pod in
  async let thing = pod.resolve(sessionThing)
  return Thing(await thing)
}

// finding: error: mainKeeper [singleton] keeps sessionThing [SessionScope], which can be cleared under it. [captive]
let mainKeeper = MainActorProvider { pod in Thing(pod.resolve(sessionThing)) }

let sessionMember = Provider.family(scope: SessionScope()) { (_, number: Int) in Thing(number) }
// finding: error: memberKeeper [singleton] keeps sessionMember [SessionScope], which can be cleared under it. [captive]
let memberKeeper = Provider.family { (pod, number: Int) in Thing(pod.resolve(sessionMember(number))) }

enum Things {
  static let session = Provider(scope: SessionScope()) { _ in Thing() }
  // finding: error: Things.keeper [singleton] keeps Things.session [SessionScope], which can be cleared under it. [captive]
  static let keeper = Provider { pod in Thing(pod.resolve(Self.session)) }
}

// finding: error: firstOfTwo [singleton] keeps sessionThing [SessionScope], which can be cleared under it. [captive]
let firstOfTwo = Provider { pod in Thing(pod.resolve(sessionThing)) }
let secondOfTwo = Provider { _ in Thing() }

private struct HiddenScope: ProviderScope {}
private let hiddenThing = Provider(scope: HiddenScope()) { _ in Thing() }
// finding: error: hiddenKeeper [singleton] keeps hiddenThing [HiddenScope], which can be cleared under it. [captive]
let hiddenKeeper = Provider { pod in Thing(pod.resolve(hiddenThing)) }
