// A program prepares providers of every kind, refreshes them and follows them, in any isolation.
// modes: 5 6 5-main-actor 6-main-actor 6-approachable
import Peapod

nonisolated struct Settings: Sendable { var name = "" }

@MainActor
final class Model { var name = "" }

nonisolated let settingsProvider = Provider { _ in Settings() }
nonisolated let tokenProvider = ThrowingProvider { _ in "token" }
nonisolated let databaseProvider = AsyncProvider { _ in 1 }
nonisolated let modelProvider = MainActorProvider { _ in Model() }
nonisolated let pageProvider = AsyncProvider.family { (pod, number: Int) in number }

nonisolated func start(_ pod: Pod) async throws -> [String] {
  do {
    let preparation = try await pod.prepare(
      settingsProvider, tokenProvider, databaseProvider, modelProvider, pageProvider(1))
    return preparation.criticalPath.map { "\($0.provider.name) \($0.exclusiveDuration) of \(preparation.duration)" }
  } catch let error as PreparationError {
    return ["\(error.provider.name): \(error.underlyingError)"]
  }
}

@MainActor
func startOnMain(_ pod: Pod) async throws { try await pod.prepare(modelProvider, databaseProvider) }

nonisolated func refresh(_ pod: Pod) {
  pod.refresh(settingsProvider)
  pod.refresh(modelProvider)
  pod.refresh(pageProvider(1))
  pod.refresh(pageProvider)
}

@MainActor
func follow(_ pod: Pod, _ model: Model) async {
  for await settings in pod.updates(of: settingsProvider) { model.name = settings.name }
  for await other in pod.updates(of: modelProvider) { other.name = model.name }
}

actor Reader {
  private var names: [String] = []

  func read(_ updates: PodUpdates<Settings>) async {
    var iterator = updates.makeAsyncIterator()
    while let settings = await iterator.next() { names.append(settings.name) }
    for await settings in updates { names.append(settings.name) }
  }
}

@MainActor
func followInTask(_ pod: Pod) -> Task<Void, Never> {
  let updates = pod.updates(of: modelProvider)
  return Task.detached { for await model in updates { await MainActor.run { model.name = "" } } }
}
