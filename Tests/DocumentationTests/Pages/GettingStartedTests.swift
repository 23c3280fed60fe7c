// snippet: Start autosave
import Foundation
import Peapod
import PeapodSystem
// end
// snippet: Start autosave test
import PeapodTesting
import Testing
// end

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

// snippet: Start autosave
private struct SavedNote: Sendable {
  let id: UUID
  let savedAt: Date
}

private struct Autosave: Sendable {
  let uuid: UUIDSource
  let date: DateSource
  let clock: any Clock<Duration>

  func save() async throws -> SavedNote {
    try await clock.sleep(for: .seconds(2))
    return SavedNote(id: uuid(), savedAt: date.now)
  }
}

private let autosaveProvider = Provider { pod in
  Autosave(uuid: pod.resolve(.uuid), date: pod.resolve(.date), clock: pod.resolve(.clock))
}
// end

// snippet: Start autosave test
@Test(.pod { $0.useDeterministicSystem(now: Date(timeIntervalSince1970: 0), seed: 1) })
private func saves() async throws {
  let note = try await Pod.current.resolve(autosaveProvider).save()
  #expect(note.id.uuidString == "00000000-0000-0000-0000-000000000000")
  #expect(note.savedAt == Date(timeIntervalSince1970: 0))
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
