import Peapod

protocol API: Sendable {
  func name() -> String
}

final class LiveAPI: API {
  func name() -> String { "live" }
}

final class MockAPI: API {
  let text: String

  init(_ text: String = "mock") {
    self.text = text
  }

  func name() -> String { text }
}

final class Config: Sendable {}

final class Service: Sendable {
  let api: any API
  let config: Config

  init(api: any API, config: Config) {
    self.api = api
    self.config = config
  }
}

final class Document: Sendable {}

struct SessionScope: ProviderScope {}

extension ProviderScope where Self == SessionScope {
  static var session: Self { Self() }
}

let apiProvider = Provider<any API>("api") { _ in LiveAPI() }
let configProvider = Provider("config") { _ in Config() }
let serviceProvider = Provider("service") { pod in
  Service(api: pod.resolve(apiProvider), config: pod.resolve(configProvider))
}
let numberProvider = Provider("number") { _ in -1 }
let doubledProvider = Provider("doubled") { pod in 2 * pod.resolve(numberProvider) }
let documentProvider = Provider("document") { _ in Document() }
let draftProvider = Provider("draft", scope: .session) { _ in Document() }
let sessionNumberProvider = Provider("session number", scope: .session) { _ in 7 }
let captorProvider = Provider("captor") { pod in "captor of \(pod.resolve(sessionNumberProvider))" }
let userProvider = Provider<any API>.family("user") { (_, id: Int) in LiveAPI() }
