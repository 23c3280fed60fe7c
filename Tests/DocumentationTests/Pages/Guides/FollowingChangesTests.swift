// snippet: Change declare
import Peapod
// end
import Testing

// snippet: Change declare
private final class Entries: Sendable {}
private final class Summary: Sendable {
  let entries: Entries
  init(entries: Entries) { self.entries = entries }
}

private let entriesProvider = Provider { _ in Entries() }
private let summaryProvider = Provider { pod in Summary(entries: pod.resolve(entriesProvider)) }
// end

// snippet: Change greeting
private let languageProvider = Provider { _ in "en" }
private let greetingProvider = Provider { pod in pod.resolve(languageProvider) == "en" ? "Hello" : "Hallo" }
// end

@Suite("Following changes", .transcript)
struct FollowingChangesTests {
  @Test("A refresh disposes the dependents, and updates give the new instance")
  func changes() async throws {
    // snippet: Change refresh
    let pod = Pod()
    let summary = pod.resolve(summaryProvider)
    pod.refresh(entriesProvider)
    print(pod.resolve(summaryProvider) === summary)
    // end
    try expectOutput(of: "Change refresh")

    // snippet: Change updates
    var greetings = pod.updates(of: greetingProvider).makeAsyncIterator()
    print(await greetings.next() ?? "")
    pod.overrideProvider(languageProvider, withValue: "de")
    print(await greetings.next() ?? "")
    // end
    try expectOutput(of: "Change updates")
  }
}
