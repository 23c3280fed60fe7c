// snippet: Root declare
import Peapod
// end
import Testing

// snippet: Root declare
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

@Suite("The root page", .transcript)
struct RootPageTests {
  @Test("A pod resolves a provider and caches the instance")
  func resolving() throws {
    // snippet: Root resolve
    let pod = Pod()
    let store = pod.resolve(noteStoreProvider)
    print(store.summary())
    print(pod.resolve(noteStoreProvider) === store)
    // end
    try expectOutput(of: "Root resolve")
  }
}
