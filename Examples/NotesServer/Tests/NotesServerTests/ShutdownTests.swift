import Foundation
import GRDB
import Peapod
import Synchronization
import Testing

@testable import NotesService
@testable import NotesWiring

/// The end of the server, and what it leaves behind.
@Suite struct ShutdownTests {
  @Test("A request in flight is answered; then the database is closed, once")
  func requestInFlight() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("notes.sqlite")
    let service = TestService { $0.databasePath = path }
    // Each request needs an identifier first of all.
    let received = Mutex<Gate?>(nil)
    let random = CountingRandom().source
    service.pod.overrideProvider(randomProvider) { _ in
      RandomSource { count in
        received.withLock { $0 }?.open()
        return random.bytes(count)
      }
    }

    let note = try await RunningServer.with(PodWiring(service.pod)) { server in
      let client = SocketClient(port: server.port)
      let token = try await client.token(of: "ada")
      let body = Array(#"{"title": "Tea", "text": "in flight"}"#.utf8)
      let headers = ["Content-Type": "application/json", "Authorization": "Bearer \(token)"]
      let begun = Gate()
      received.withLock { $0 = begun }
      let created = try await client.exchange(
        client.head("POST", "/notes", headers: headers, bodyLength: body.count) + body.prefix(5)
      ) {
        await begun.pass()
        await server.server.stop()
        #expect(service.logged("database closed") == 0)
        return Array(body.dropFirst(5))
      }
      #expect(created.status == 201)
      return try created.decoded(as: SentNote.self)
    }

    #expect(service.logged("database opened") == 1)
    #expect(service.logged("database closed") == 1)
    #expect(service.logged("database not closed") == 0)
    #expect(service.pod.graph.nodes.allSatisfy { !$0.isCached || $0.isOverridden })
    #expect(!FileManager.default.fileExists(atPath: path + "-wal"))
    let database = try DatabaseQueue(path: path)
    let integrity = try await database.read { try String.fetchOne($0, sql: "PRAGMA integrity_check") }
    #expect(integrity == "ok")
    let stored = try await database.read { try String.fetchAll($0, sql: "SELECT id FROM note") }
    #expect(stored == [note.id])
  }

  @Test("The database outlives the server")
  func restart() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("notes.sqlite")
    let (token, note) = try await TestService { $0.databasePath = path }.run { client in
      let token = try await client.token(of: "ada")
      return (token, try await client.note("Tea", token))
    }
    let found = try await TestService { $0.databasePath = path }.run { client in
      try await client.get("/notes/\(note.id)", token)
    }
    #expect(try found.decoded() == note)
  }

  @Test("A database that cannot be written is explained, and not asked again and again")
  func unwritable() async throws {
    let service = TestService { $0.databasePath = "/no/such/folder/notes.sqlite" }
    let error = await #expect(throws: StorageError.self) { try await PodWiring(service.pod) }
    #expect(error?.description.contains("/no/such/folder/notes.sqlite") == true)
    #expect(error?.description.contains("--database") == true)
    #expect(service.logged("database opened") == 0)
  }
}
