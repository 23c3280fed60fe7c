import Peapod
import PlantedCore

// The values of a hashable scope, the cases of an enumeration, and the types that generic arguments make are different scopes.

struct Account: ProviderScope, Hashable {
  let id: Int
  static let main = Account(id: 1)
  static let guest = Account(id: 2)
}

extension ProviderScope where Self == Account {
  static var main: Self { Account.main }
  static func account(_ id: Int) -> Self { Self(id: id) }
}

protocol HashableScope: ProviderScope, Hashable {}
struct Room: HashableScope { let name: String }
struct Hall: ProviderScope, Hashable {}
struct Of<Value>: ProviderScope {}
struct Pair<First, Second>: ProviderScope {}
struct Session: ProviderScope, Hashable {
  let id: Int
  var children: [any ProviderScope] { [Account(id: id)] }
}

enum Level: ProviderScope, Hashable {
  case app, tab, page
  var children: [any ProviderScope] {
    switch self {
    case .app: [Level.tab]
    case .tab: [Level.page]
    default: []
    }
  }
}

enum Part: ProviderScope, Hashable {
  case whole(Int), half(Int)
  var children: [any ProviderScope] {
    switch self {
    case .whole(let number): [Part.half(number)]
    case .half: []
    }
  }
}

enum Mode { case plain, rich }
let mode = Mode.plain
enum Side: ProviderScope, Hashable {
  case front, back
  var children: [any ProviderScope] {
    switch mode {
    case .plain: [Side.front]
    case .rich: [Side.back]
    }
  }
}

let firstAccount = Provider(scope: Account(id: 1)) { _ in Thing() }
let mainAccount = Provider(scope: Account.main) { _ in Thing() }
let thirdAccount = Provider(scope: .account(3)) { _ in Thing() }
let redRoom = Provider(scope: Room(name: "red")) { _ in Thing() }
let newHall = Provider(scope: Hall()) { _ in Thing() }
let ofInt = Provider(scope: Of<Int>()) { _ in Thing() }
let ofPair = Provider(scope: Pair<Int, String>()) { _ in Thing() }
let page = Provider(scope: Level.page) { _ in Thing() }
let app = Provider(scope: Level.app) { _ in Thing() }
let firstHalf = Provider(scope: Part.half(1)) { _ in Thing() }
let firstWhole = Provider(scope: Part.whole(1)) { _ in Thing() }
let session = Provider(scope: Session(id: 1)) { _ in Thing() }
let front = Provider(scope: Side.front) { _ in Thing() }

// finding: warning: otherAccount [Account(id: 2)] may keep firstAccount [Account(id: 1)], which can be cleared under it. [captive]
let otherAccount = Provider(scope: Account(id: 2)) { pod in pod.resolve(firstAccount) }

// finding: warning: guestAccount [Account(id: 2)] may keep mainAccount [Account(id: 1)], which can be cleared under it. [captive]
let guestAccount = Provider(scope: Account.guest) { pod in pod.resolve(mainAccount) }

// finding: warning: fourthAccount [Account.account(4)] may keep thirdAccount [Account.account(3)], which can be cleared under it. [captive]
let fourthAccount = Provider(scope: .account(4)) { pod in pod.resolve(thirdAccount) }

// finding: warning: blueRoom [Room(name: "blue")] may keep redRoom [Room(name: "red")], which can be cleared under it. [captive]
let blueRoom = Provider(scope: Room(name: "blue")) { pod in pod.resolve(redRoom) }

// finding: warning: ofText [Of<String>] may keep ofInt [Of<Int>], which can be cleared under it. [captive]
let ofText = Provider(scope: Of<String>()) { pod in pod.resolve(ofInt) }

// finding: warning: ofOtherPair [Pair<Int, Bool>] may keep ofPair [Pair<Int, String>], which can be cleared under it. [captive]
let ofOtherPair = Provider(scope: Pair<Int, Bool>()) { pod in pod.resolve(ofPair) }

// finding: error: tabOfPage [Level.tab] keeps page [Level.page], which can be cleared under it. [captive]
let tabOfPage = Provider(scope: Level.tab) { pod in pod.resolve(page) }

// finding: error: appOfPage [Level.app] keeps page [Level.page], which can be cleared under it. [captive]
let appOfPage = Provider(scope: Level.app) { pod in pod.resolve(page) }

// finding: error: wholeOfHalf [Part.whole(1)] keeps firstHalf [Part.half(1)], which can be cleared under it. [captive]
let wholeOfHalf = Provider(scope: Part.whole(1)) { pod in pod.resolve(firstHalf) }

// finding: warning: secondHalf [Part.half(2)] may keep firstHalf [Part.half(1)], which can be cleared under it. [captive]
let secondHalf = Provider(scope: Part.half(2)) { pod in pod.resolve(firstHalf) }

// Sound.

let sameAccount = Provider(scope: Account(id: 1)) { pod in pod.resolve(firstAccount) }
let sameByName = Provider(scope: Account.main) { pod in pod.resolve(firstAccount) }
let sameConstant = Provider(scope: Account.main) { pod in pod.resolve(mainAccount) }
let sameForwarded = Provider(scope: .main) { pod in pod.resolve(mainAccount) }
let sameFunction = Provider(scope: .account(3)) { pod in pod.resolve(thirdAccount) }
let sameRoom = Provider(scope: Room(name: "red")) { pod in pod.resolve(redRoom) }
let hall = Hall()
let sameHall = Provider(scope: hall) { pod in pod.resolve(newHall) }
let integers = Of<Swift.Int>()
let sameInt = Provider(scope: integers) { pod in pod.resolve(ofInt) }
let pageOfApp = Provider(scope: Level.page) { pod in pod.resolve(app) }
let halfOfWhole = Provider(scope: Part.half(1)) { pod in pod.resolve(firstWhole) }
let accountOfSession = Provider(scope: Account(id: 1)) { pod in pod.resolve(session) }
let backOfFront = Provider(scope: Side.back) { pod in pod.resolve(front) }
