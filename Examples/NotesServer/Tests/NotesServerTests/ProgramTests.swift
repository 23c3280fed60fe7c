import Foundation
import Testing

@testable import NotesServer

/// The program as it is built, run as a process of its own.
@Suite(.serialized) struct ProgramTests {
  @Test("A signal ends it in order, with status 0", arguments: WiringStyle.allCases)
  func signal(style: WiringStyle) async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("notes.sqlite")
    let program = try BuiltProgram(["--port", "0", "--database", path, "--wiring", style.rawValue])
    let client = SocketClient(port: try program.port())
    let note = try await client.note("Tea", client.token(of: "ada"))
    #expect(note.title == "Tea")
    program.signal(SIGTERM)
    let outcome = try program.outcome()
    #expect(outcome.status == 0)
    #expect(outcome.output.contains("curl"))
    #expect(outcome.errors.split(separator: "\n").count { $0.contains("database closed") } == 1)
    #expect(!FileManager.default.fileExists(atPath: path + "-wal"))
  }

  @Test("A port in use is explained in one line, and the server that uses it goes on")
  func portInUse() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("notes.sqlite")
    let first = try BuiltProgram(["--port", "0", "--database", path])
    let port = try first.port()
    let client = SocketClient(port: port)
    let token = try await client.token(of: "ada")
    let note = try await client.note("Tea", token)

    let second = try BuiltProgram(["--port", "\(port)", "--database", path, "--log-level", "critical"]).outcome()
    let explanation = "127.0.0.1:\(port) is in use; stop what uses it, or choose another with --port"
    #expect(second.status == 1)
    #expect(second.errors == "notes-server: \(explanation)\n")

    #expect(try await client.get("/notes/\(note.id)", token).decoded() == note)
    first.signal(SIGINT)
    #expect(try first.outcome().status == 0)
  }

  @Test(
    "What cannot be used is explained in one line",
    arguments: [
      (
        ["--database", "/no/such/folder/notes.sqlite"], Int32(1),
        "the database '/no/such/folder/notes.sqlite' cannot be used"
      ),
      (["--database", "/"], 1, "the database '/' cannot be used"),
      (["--port", "70000"], 64, "--port must be a number from 0 to 65535."),
      (["--host", "192.0.2.1", "--database", "DATABASE"], 1, "192.0.2.1:8080 is no address of this machine"),
    ])
  func complaints(arguments: [String], status: Int32, complaint: String) throws {
    let folder = try TemporaryFolder()
    let arguments = arguments.map { $0 == "DATABASE" ? folder.file("notes.sqlite") : $0 }
    let outcome = try BuiltProgram(arguments + ["--log-level", "critical"]).outcome()
    #expect(outcome.status == status)
    #expect(outcome.errors.hasPrefix("notes-server: \(complaint)"))
    #expect(outcome.errors.split(separator: "\n").count == 1)
    #expect(outcome.output.isEmpty)
  }
}
