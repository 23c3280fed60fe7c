import Peapod
import PeapodTesting
import Synchronization
import Testing

// snippet: Riverpod declare
private struct User: Sendable { let name: String }

private let userNameProvider = Provider { _ in "Ada" }
private let userProvider = AsyncProvider { pod in
  try await Task.sleep(for: .zero)
  return User(name: pod.resolve(userNameProvider))
}
private let avatarProvider = AsyncProvider.family { (pod, size: Int) in
  "\(try await pod.resolve(userProvider).name) at \(size)"
}
// end

// snippet: Riverpod state
private final class Counter: Sendable {
  private let state = Mutex(0)
  var value: Int { state.withLock { $0 } }
  func increment() { state.withLock { $0 += 1 } }
}

private let counterProvider = Provider { _ in Counter() }
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
  func basics() async throws {
    // snippet: Riverpod use
    let container = Pod()
    print(try await container.resolve(avatarProvider(32)))

    let counter = container.resolve(counterProvider)
    counter.increment()
    container.clearCachedInstance(of: counterProvider)
    print(counter.value, container.resolve(counterProvider).value)

    let item = container.makeChild { $0.overrideProvider(userNameProvider, withValue: "Bob") }
    print(try await item.resolve(avatarProvider(16)))
    // end
    try expectOutput(of: "Riverpod use")
  }

  @Test("What is refreshed together has one scope")
  func refresh() throws {
    let pod = Pod()
    // snippet: Riverpod refresh use
    let summary = pod.resolve(summaryProvider)
    pod.clearCachedInstance(of: entriesProvider)
    print(pod.resolve(summaryProvider) === summary)

    pod.clearCachedInstances(forScope: FeedScope())
    print(pod.resolve(summaryProvider) === summary)
    // end
    try expectOutput(of: "Riverpod refresh use")
  }
}
