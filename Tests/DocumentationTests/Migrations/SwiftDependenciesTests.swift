// snippet: Dependencies declare
import Peapod
// end
// snippet: Dependencies model
import PeapodSystem
// end
import PeapodTesting
import Testing

// snippet: Dependencies declare
private struct APIClient: Sendable {
  var fetchUser: @Sendable (Int) async throws -> String
}

private let apiClientProvider = Provider { _ in
  APIClient(fetchUser: { id in "user \(id)" })
}
// end

// snippet: Dependencies model
@MainActor private final class ProfileModel {
  private let api: APIClient
  private let clock: any Clock<Duration>
  private(set) var name = ""

  init(api: APIClient, clock: any Clock<Duration>) {
    self.api = api
    self.clock = clock
  }

  func load() async throws {
    try await clock.sleep(for: .seconds(1))
    name = try await api.fetchUser(1)
  }
}

private let profileModelProvider = MainActorProvider { pod in
  ProfileModel(api: pod.resolve(apiClientProvider), clock: pod.resolve(.clock))
}
// end

// snippet: Dependencies trait
@Test(.pod { $0.overrideProvider(apiClientProvider) { _ in APIClient(fetchUser: { _ in "Blob" }) } })
private func fetches() async throws {
  #expect(try await Pod.current.resolve(apiClientProvider).fetchUser(1) == "Blob")
}
// end

// snippet: Dependencies require
@Suite(.pod { $0.requireOverride(apiClientProvider) })
struct ProfileTests {
  @Test(.pod { $0.overrideProvider(apiClientProvider) { _ in APIClient(fetchUser: { _ in "Blob" }) } })
  func usesTheMock() async throws {
    #expect(try await Pod.current.resolve(apiClientProvider).fetchUser(1) == "Blob")
  }
}
// end

// snippet: Dependencies launch
private func makeAppPod(server: String) -> Pod {
  let pod = Pod("App")
  pod.overrideProvider(apiClientProvider) { _ in APIClient(fetchUser: { id in "user \(id) of \(server)" }) }
  return pod
}
// end

@Suite("Migrating from swift-dependencies", .transcript)
struct SwiftDependenciesTests {
  @Test("Overriding for one test")
  @MainActor func test() async throws {
    // snippet: Dependencies test
    let pod = Pod()
    pod.overrideProvider(.clock, withValue: ImmediateClock())
    pod.overrideProvider(apiClientProvider) { _ in APIClient(fetchUser: { _ in "Blob" }) }

    let model = pod.resolve(profileModelProvider)
    try await model.load()
    print(model.name)
    // end
    try expectOutput(of: "Dependencies test")
  }

  @Test("The app's pod is configured at launch")
  func launch() async throws {
    let client = makeAppPod(server: "example").resolve(apiClientProvider)
    #expect(try await client.fetchUser(3) == "user 3 of example")
  }

  @Test("A child pod in place of withDependencies(from:)")
  @MainActor func child() async throws {
    let pod = Pod()
    pod.overrideProvider(.clock, withValue: ImmediateClock())
    // snippet: Dependencies child
    let onboarding = pod.makeChild("onboarding") {
      $0.overrideProvider(apiClientProvider) { _ in APIClient(fetchUser: { _ in "Guest" }) }
    }
    let guestModel = onboarding.resolve(profileModelProvider)
    try await guestModel.load()
    print(guestModel.name)
    // end
    try expectOutput(of: "Dependencies child")
  }
}
