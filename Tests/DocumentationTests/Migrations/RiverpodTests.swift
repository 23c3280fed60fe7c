// snippet: Riverpod declare
import Peapod
// end
import PeapodTesting
import Testing

// snippet: Riverpod declare
private struct User: Sendable { let name: String }

private let userNameProvider = Provider { _ in "Ada" }
private let userProvider = AsyncProvider { pod in
  User(name: pod.resolve(userNameProvider))
}
private let avatarProvider = AsyncProvider.family { (pod, size: Int) in
  "\(try await pod.resolve(userProvider).name) at \(size)"
}
// end

// snippet: Riverpod state
@MainActor private final class Counter {
  var value = 0
}

private let counterProvider = MainActorProvider { _ in Counter() }
// end

// snippet: Riverpod refresh
private struct FeedScope: ProviderScope {}

private final class Entries: Sendable {}
private final class Summary: Sendable {
  let entries: Entries
  init(entries: Entries) { self.entries = entries }
}

private let entriesProvider = Provider(scope: FeedScope()) { _ in Entries() }
private let summaryProvider = Provider(scope: FeedScope()) { pod in Summary(entries: pod.resolve(entriesProvider)) }
// end

// snippet: Riverpod test
@Test(.pod { $0.overrideProvider(userNameProvider, withValue: "Eve") })
private func avatarCarriesTheName() async throws {
  #expect(try await Pod.current.resolve(avatarProvider(8)) == "Eve at 8")
}
// end

@Suite("Migrating from Riverpod", .transcript)
struct RiverpodTests {
  @Test("Reading, invalidating, families, state and overrides")
  @MainActor func basics() async throws {
    // snippet: Riverpod use
    let container = Pod()
    print(try await container.resolve(avatarProvider(32)))

    let counter = container.resolve(counterProvider)
    counter.value += 1
    container.clearCachedInstance(of: counterProvider)
    print(counter.value, container.resolve(counterProvider).value)

    let item = container.makeChild { $0.overrideProvider(userNameProvider, withValue: "Bob") }
    print(try await item.resolve(avatarProvider(16)))
    // end
    try expectOutput(of: "Riverpod use")
  }

  @Test("Instances that are refreshed together have one scope")
  func refresh() throws {
    let container = Pod()
    // snippet: Riverpod refresh use
    let summary = container.resolve(summaryProvider)
    container.clearCachedInstance(of: entriesProvider)
    print(container.resolve(summaryProvider) === summary)

    container.clearCachedInstances(forScope: FeedScope())
    print(container.resolve(summaryProvider) === summary)
    // end
    try expectOutput(of: "Riverpod refresh use")
  }
}
