// snippet: Factory declare
import Peapod
// end
// snippet: Factory trait
import PeapodTesting
import Testing

// end

// snippet: Factory declare
private protocol Accounts: Sendable { func names() -> [String] }
private struct LiveAccounts: Accounts { func names() -> [String] { ["Ada", "Bob"] } }

private final class AccountList: Sendable {
  let accounts: any Accounts
  init(accounts: any Accounts) { self.accounts = accounts }
}

private let accountsProvider = Provider<any Accounts> { _ in LiveAccounts() }
private let accountListProvider = Provider(scope: .alwaysCreateNew) { pod in
  AccountList(accounts: pod.resolve(accountsProvider))
}
// end

// snippet: Factory test
private struct SampleAccounts: Accounts { func names() -> [String] { ["Sample"] } }
// end

// snippet: Factory trait
@Test(.pod { $0.overrideProvider(accountsProvider) { _ in SampleAccounts() } })
private func listsSamples() {
  #expect(Pod.current.resolve(accountListProvider).accounts.names() == ["Sample"])
}
// end

// snippet: Factory parameters
private struct Avatar: Sendable { let user: Int }

private let avatarProvider = Provider.family { (pod, user: Int) in Avatar(user: user) }
private let freshAvatarProvider = Provider.family(scope: .alwaysCreateNew) { (pod, user: Int) in Avatar(user: user) }
// end

// snippet: Factory session
private struct SessionScope: ProviderScope {}

private final class Inbox: Sendable {}
private let inboxProvider = Provider(scope: SessionScope()) { _ in Inbox() }
// end

// snippet: Factory wrappers
private final class AccountController {
  @Injected(accountsProvider) var accounts
  @LazyInjected(inboxProvider) var inbox
}
// end

// snippet: Factory module
// Module Accounts
private struct AccountFeature: Sendable {
  let list: Provider<AccountList>

  init(accounts: Provider<any Accounts>) {
    list = Provider(scope: .alwaysCreateNew) { pod in AccountList(accounts: pod.resolve(accounts)) }
  }
}

// App
private let accountFeature = AccountFeature(accounts: accountsProvider)
// end

// snippet: Factory argument
private struct NoAccounts: Accounts { func names() -> [String] { [] } }

private func configure(_ pod: Pod, arguments: [String]) {
  if arguments.contains("--no-accounts") {
    pod.overrideProvider(accountsProvider) { _ in NoAccounts() }
  }
}
// end

@Suite("Migrating from Factory", .transcript)
struct FactoryTests {
  @Test("Declaring, resolving, overriding in a test")
  func basics() throws {
    // snippet: Factory test
    let appPod = Pod()
    let names = appPod.withOverrides {
      $0.overrideProvider(accountsProvider) { _ in SampleAccounts() }
    } operation: {
      appPod.resolve(accountListProvider).accounts.names()
    }
    print(names)
    // end
    try expectOutput(of: "Factory test")
  }

  @Test("Parameters, sessions and launch arguments")
  func rest() {
    let appPod = Pod()
    let pod = appPod
    #expect(pod.resolve(avatarProvider(3)).user == 3)
    #expect(pod.resolve(freshAvatarProvider(4)).user == 4)
    let inbox = pod.resolve(inboxProvider)
    // snippet: Factory reset
    appPod.clearCachedInstances(forScope: SessionScope())
    // end
    #expect(pod.resolve(inboxProvider) !== inbox)
    let controller = Pod.$current.withValue(pod) { AccountController() }
    #expect(controller.accounts.names() == ["Ada", "Bob"])
    #expect(controller.inbox === pod.resolve(inboxProvider))
    #expect(pod.resolve(accountFeature.list).accounts.names() == ["Ada", "Bob"])
    configure(pod, arguments: ["--no-accounts"])
    #expect(pod.resolve(accountListProvider).accounts.names() == [])
  }
}
