import NotesWiring
import Testing

/// The start of the server: everything that a request must not wait for is built before.
@Suite struct StartupTests {
  @Test("The log says at the level info which builders the start took longest for")
  func criticalPath() async throws {
    let service = TestService()
    defer { service.pod.dispose() }
    _ = try await PodWiring(service.pod)
    let entry = try #require(service.log.entries.first { "\($0.message)" == "prepared" })
    #expect(entry.level == .info)
    let path = "\(try #require(entry.metadata["path"]))"
    #expect(path.hasPrefix("NotesDatabase ") && path.contains(", ") && path.contains("Repository "))
    #expect(entry.metadata["duration"] != nil)
  }

  @Test("The log names the provider that could not be prepared")
  func failure() async throws {
    let service = TestService { $0.databasePath = "/no/such/folder/notes.sqlite" }
    await #expect(throws: (any Error).self) { try await PodWiring(service.pod) }
    let entry = try #require(service.log.entries.first { "\($0.message)" == "could not be prepared" })
    #expect(entry.level == .error && entry.metadata["provider"] == "NotesDatabase")
  }
}
