import Peapod
import Testing

// snippet: Start declare
private protocol NotesAPI: Sendable {
  func titles() -> [String]
}

private struct LiveNotesAPI: NotesAPI {
  func titles() -> [String] { ["Shopping", "Ideas"] }
}

private final class NoteStore: Sendable {
  private let api: any NotesAPI

  init(api: any NotesAPI) { self.api = api }

  func summary() -> String { api.titles().sorted().joined(separator: ", ") }
}

private let notesAPIProvider = Provider<any NotesAPI> { _ in LiveNotesAPI() }
private let noteStoreProvider = Provider { pod in NoteStore(api: pod.resolve(notesAPIProvider)) }
// end

// snippet: Start scope
private struct EditingScope: ProviderScope {}

private final class Draft: Sendable {}

private let draftProvider = Provider(scope: EditingScope()) { _ in Draft() }
// end

// snippet: Start family
private struct NotePage: Sendable {
  let title: String
  let store: NoteStore
}

private let notePageProvider = Provider.family { (pod, title: String) in
  NotePage(title: title, store: pod.resolve(noteStoreProvider))
}
// end

@Suite("Getting started", .transcript)
struct GettingStartedTests {
  @Test("A pod resolves, keeps, clears and builds for arguments")
  func resolving() throws {
    // snippet: Start resolve
    let pod = Pod()
    let store = pod.resolve(noteStoreProvider)
    print(store.summary())
    print(pod.resolve(noteStoreProvider) === store)
    // end
    try expectOutput(of: "Start resolve")

    // snippet: Start clear
    let draft = pod.resolve(draftProvider)
    pod.clearCachedInstances(forScope: EditingScope())
    print(pod.resolve(draftProvider) === draft)
    // end
    try expectOutput(of: "Start clear")

    // snippet: Start member
    let page = pod.resolve(notePageProvider("Ideas"))
    print(page.title, page.store === store)
    // end
    try expectOutput(of: "Start member")
  }

  @Test("withOverrides replaces for one block")
  func overriding() throws {
    let pod = Pod()
    // snippet: Start override
    struct OneNote: NotesAPI {
      func titles() -> [String] { ["Only this"] }
    }

    let summary = pod.withOverrides {
      $0.overrideProvider(notesAPIProvider) { _ in OneNote() }
    } operation: {
      pod.resolve(noteStoreProvider).summary()
    }
    print(summary)
    print(pod.resolve(noteStoreProvider).summary())
    // end
    try expectOutput(of: "Start override")
  }
}
