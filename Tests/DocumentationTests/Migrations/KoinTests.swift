// snippet: Koin declare
import Peapod
// end
import PeapodTesting
import Testing

// snippet: Koin declare
private protocol Repository: Sendable { func find() -> String }
private final class LiveRepository: Repository { func find() -> String { "found" } }
private struct Presenter: Sendable {
  let repository: any Repository
  let title: String
}

private let repositoryProvider = Provider<any Repository> { _ in LiveRepository() }  // single
private let presenterProvider = Provider.family(scope: .alwaysCreateNew) { (pod, title: String) in  // factory
  Presenter(repository: pod.resolve(repositoryProvider), title: title)
}
// end

// snippet: Koin scope
private struct ActivityScope: ProviderScope {
  var requiresOwner: Bool { true }
}

private final class Navigator: Sendable {}
private let navigatorProvider = Provider(scope: ActivityScope()) { _ in
  Navigator()
} onDispose: { _ in
  print("closed")
}
// end

// snippet: Koin test
private struct FakeRepository: Repository { func find() -> String { "fake" } }

@Test(.pod { $0.overrideProvider(repositoryProvider) { _ in FakeRepository() } })
private func presenterUsesTheRepository() {
  #expect(Pod.current.resolve(presenterProvider("Home")).repository.find() == "fake")
}
// end

@Suite("Migrating from Koin", .transcript)
struct KoinTests {
  @Test("single, factory with parameters, scoped")
  func basics() throws {
    // snippet: Koin use
    let koin = Pod()
    let presenter = koin.resolve(presenterProvider("Home"))
    print(presenter.title, presenter.repository.find())

    koin.withChild("activity", owning: [ActivityScope()]) { activity in
      print(activity.resolve(navigatorProvider) === activity.resolve(navigatorProvider))
    }
    // end
    try expectOutput(of: "Koin use")
  }
}
