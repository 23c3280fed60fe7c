import Peapod
import Synchronization

// What the rows resolve, and what stands beside it written by hand.

struct FeatureScope: ProviderScope {}

struct AccountScope: ProviderScope, Hashable {
  let number: Int
}

struct RequestScope: ProviderScope {}

let service = Provider { _ in Service() }
let neighbour = Provider { _ in Service() }
let greeter = Provider<any Greeter> { _ in Service() }
let largeValue = Provider { _ in LargeValue() }
let model = MainActorProvider { _ in Model() }
let throwingService = ThrowingProvider { _ in Service() }
let asyncService = AsyncProvider { _ in Service() }
let scopedService = Provider(scope: FeatureScope()) { _ in Service() }
let accountService = Provider(scope: AccountScope(number: 7)) { _ in Service() }
let weakService = Provider(scope: .weak) { _ in Service() }
let requestService = Provider(scope: RequestScope()) { _ in Service() }
let numbered = Provider.family { (_, _: Int) in Service() }
let named = Provider.family { (_, _: String) in Service() }
let numberedAndNamed = Provider.family { (_, _: Int, _: String) in Service() }
let freshService = Provider(scope: .alwaysCreateNew) { _ in Service() }
let freshClient = Provider(scope: .alwaysCreateNew) { pod in Client(pod.resolve(service)) }
let freshModel = MainActorProvider(scope: .alwaysCreateNew) { _ in Model() }
let freshThrowing = ThrowingProvider(scope: .alwaysCreateNew) { _ in Service() }
let paddedServices = (Provider { _ in PaddedService() }, Provider { _ in PaddedService() })

/// The pod that most rows use.
let pod = Pod("benchmarks")

let handMadeService = Service()
let handMadeGreeter: any Greeter = Service()
let handMadeLargeValue = LargeValue()
@MainActor let handMadeModel = Model()
let handMadePaddedServices = (PaddedService(), PaddedService())

/// A container as it is often written by hand: a property for each service.
final class HandMadeContainer: Sendable {
  let service = Service()

  /// Does not suspend, and runs where its caller runs.
  @inline(never) nonisolated(nonsending) func readService() async -> Service { service }
}

let handMadeContainer = HandMadeContainer()

/// A container as it is often written by hand: services by their type, behind a lock.
final class HandMadeDictionary: Sendable {
  private let services: Mutex<[ObjectIdentifier: any Sendable]>

  init() {
    services = Mutex([
      ObjectIdentifier(Service.self): Service(), ObjectIdentifier(Client.self): Client(Service()),
      ObjectIdentifier(Node.self): Node(nil),
    ])
  }

  @inline(never) func get<Value: Sendable>(_ type: Value.Type) -> Value {
    services.withLock { $0[ObjectIdentifier(type)]! as! Value }
  }
}

let handMadeDictionary = HandMadeDictionary()
