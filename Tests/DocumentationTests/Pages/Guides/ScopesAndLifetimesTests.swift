// snippet: Scope new
import Peapod
// end
import Testing

// snippet: Scope graph
private final class Transaction: Sendable {}

private struct Orders: Sendable { let transaction: Transaction }
private struct Stock: Sendable { let transaction: Transaction }
private struct Checkout: Sendable {
  let orders: Orders
  let stock: Stock
}

private let transactionProvider = Provider(scope: .graph) { _ in Transaction() }
private let checkoutProvider = Provider(scope: .alwaysCreateNew) { pod in
  Checkout(
    orders: Orders(transaction: pod.resolve(transactionProvider)),
    stock: Stock(transaction: pod.resolve(transactionProvider)))
}
// end

// snippet: Scope weak
private final class ImageCache: Sendable {}

private let imageCacheProvider = Provider(scope: .weak) { _ in ImageCache() }
// end

// snippet: Scope new
private final class Parser { var position = 0 }

private let parserProvider = Provider(scope: .alwaysCreateNew) { _ in Parser() }
// end

// snippet: Scope own
private struct SignUpScope: ProviderScope {
  var children: [any ProviderScope] { [PaymentScope()] }
}

private struct PaymentScope: ProviderScope {}

extension ProviderScope where Self == SignUpScope {
  static var signUp: Self { SignUpScope() }
}

extension ProviderScope where Self == PaymentScope {
  static var payment: Self { PaymentScope() }
}

private final class SignUpForm: Sendable {}

private struct CardEntry: Sendable { let form: SignUpForm }

private let signUpFormProvider = Provider(scope: .signUp) { _ in SignUpForm() }
private let cardEntryProvider = Provider(scope: .payment) { pod in
  CardEntry(form: pod.resolve(signUpFormProvider))
}
// end

// snippet: Scope values
private enum TabScope: ProviderScope, Hashable {
  case home, search
}

private final class History: Sendable {}

private let homeHistoryProvider = Provider(scope: TabScope.home) { _ in History() }
private let searchHistoryProvider = Provider(scope: TabScope.search) { _ in History() }
// end

// snippet: Scope disposal
private struct SessionScope: ProviderScope {}

private final class Database: Sendable {}
private struct Outbox: Sendable { let database: Database }

private let databaseProvider = Provider(scope: SessionScope()) { _ in
  Database()
} onDispose: { _ in
  print("database closed")
}
private let outboxProvider = Provider(scope: SessionScope()) { pod in
  Outbox(database: pod.resolve(databaseProvider))
} onDispose: { _ in
  print("outbox sent")
}
// end

// snippet: Scope captive
private struct Mailbox: Sendable {
  let outbox: @Sendable () -> Outbox
}

private let mailboxProvider = Provider { pod in Mailbox(outbox: pod.factory(outboxProvider)) }
// end

@Suite("Scopes and lifetimes", .transcript)
struct ScopesAndLifetimesTests {
  private let pod = Pod()

  @Test("A graph-scoped instance is one per top-level resolve")
  func graph() throws {
    // snippet: Scope graph use
    let first = pod.resolve(checkoutProvider)
    let second = pod.resolve(checkoutProvider)
    print(first.orders.transaction === first.stock.transaction)
    print(first.orders.transaction === second.orders.transaction)
    // end
    try expectOutput(of: "Scope graph use")
  }

  @Test("A weak instance is cached while other code retains it")
  func weak() throws {
    // snippet: Scope weak use
    let pod = Pod()
    var cache: ImageCache? = pod.resolve(imageCacheProvider)
    print(pod.resolve(imageCacheProvider) === cache)
    cache = nil
    print(pod.isCached(imageCacheProvider))
    // end
    try expectOutput(of: "Scope weak use")
  }

  @Test("A scope without a cache may build what is not Sendable")
  func alwaysNew() throws {
    let parser = pod.resolve(parserProvider)
    parser.position += 1
    #expect(pod.resolve(parserProvider).position == 0)
  }

  @Test("Clearing a scope clears its children, not its parent")
  func tree() throws {
    // snippet: Scope own use
    let entry = pod.resolve(cardEntryProvider)
    pod.clearCachedInstances(forScope: .payment)
    print(pod.isCached(cardEntryProvider), pod.resolve(signUpFormProvider) === entry.form)

    pod.clearCachedInstances(forScope: .signUp)
    print(pod.isCached(cardEntryProvider), pod.isCached(signUpFormProvider))
    // end
    try expectOutput(of: "Scope own use")
  }

  @Test("A Hashable scope is its value")
  func values() throws {
    // snippet: Scope values use
    let home = pod.resolve(homeHistoryProvider)
    let search = pod.resolve(searchHistoryProvider)
    pod.clearCachedInstances(forScope: TabScope.search)
    print(pod.resolve(homeHistoryProvider) === home)
    print(pod.resolve(searchHistoryProvider) === search)
    // end
    try expectOutput(of: "Scope values use")
  }

  @Test("Disposal closures run dependents first")
  func disposal() throws {
    // snippet: Scope disposal use
    _ = pod.resolve(outboxProvider)
    pod.clearCachedInstances(forScope: SessionScope())
    // end
    try expectOutput(of: "Scope disposal use")
  }

  @Test("dispose releases every instance, and the pod stays usable")
  func dispose() throws {
    _ = pod.resolve(mailboxProvider).outbox()
    // snippet: Scope dispose
    _ = pod.resolve(outboxProvider)
    pod.dispose()
    print(pod.isCached(outboxProvider), pod.isCached(databaseProvider))
    // end
    try expectOutput(of: "Scope dispose")
  }
}
