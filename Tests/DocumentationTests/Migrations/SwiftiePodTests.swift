// snippet: SwiftiePod declare
import Peapod
// end
import Testing

// snippet: SwiftiePod declare
private protocol DataService: Sendable { func fetch() -> [String] }
private struct RemoteDataService: DataService {
  let client: HTTPClient
  func fetch() -> [String] { [client.get("/items")] }
}
private struct HTTPClient: Sendable { func get(_ path: String) -> String { "GET \(path)" } }

private let httpClientProvider = Provider { _ in HTTPClient() }
private let dataServiceProvider = Provider<any DataService> { pod in
  RemoteDataService(client: pod.resolve(httpClientProvider))
}
// end

// snippet: SwiftiePod scope
private final class SignUpScope: ProviderScope {
  let children: [any ProviderScope] = [SignUpStepScope()]
}
private final class SignUpStepScope: ProviderScope {}

private final class SignUpForm: Sendable {}
private let signUpFormProvider = Provider(scope: SignUpScope()) { _ in SignUpForm() }
// end

@Suite("Migrating from SwiftiePod", .transcript)
struct SwiftiePodTests {
  @Test("The same program")
  func basics() throws {
    // snippet: SwiftiePod use
    let pod = Pod()
    print(pod.resolve(dataServiceProvider).fetch())

    struct SampleDataService: DataService { func fetch() -> [String] { ["sample"] } }
    pod.overrideProvider(dataServiceProvider, scope: .alwaysCreateNew) { _ in SampleDataService() }
    print(pod.resolve(dataServiceProvider).fetch())

    pod.removeOverrideProvider(dataServiceProvider)
    pod.clearCachedInstances(forScope: SignUpScope())
    // end
    try expectOutput(of: "SwiftiePod use")
  }

  @Test("A builder may use a captured pod")
  func captured() {
    let form = Pod().resolve(signUpFormProvider)
    // snippet: SwiftiePod captured
    let appPod = Pod()
    let textProvider = Provider { _ in appPod.resolve(dataServiceProvider).fetch().joined() }
    // end
    #expect(appPod.resolve(textProvider) == "GET /items")
    _ = form
  }
}
