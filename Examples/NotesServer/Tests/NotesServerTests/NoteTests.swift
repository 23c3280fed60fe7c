import Peapod
import Testing

@testable import NotesService
@testable import NotesWiring

/// Writing notes, and finding them again.
@Suite struct NoteTests {
  @Test("A note is created, read, updated and deleted", arguments: Transport.allCases)
  func wayThrough(transport: Transport) async throws {
    let service = TestService()
    try await service.run(over: transport) { client in
      try await Self.wayThrough(client) { service.clock.advance(bySeconds: 60.5) }
    }
  }

  @Test("The service that is wired by hand does the same")
  func byHand() async throws {
    var settings = Settings()
    settings.passwordCost = PasswordCost(rounds: 16, blockSize: 1, parallelism: 1)
    let service = TestService()
    let wiring = try HandWiring(settings: settings, logger: service.pod.resolve(loggerProvider))
    try await Self.wayThrough(InProcessClient(wiring)) {}
    await wiring.shutDown()
    #expect(service.logged("database closed") == 1)
  }

  private static func wayThrough(_ client: any Client, pause: () -> Void) async throws {
    let token = try await client.token(of: "ada")
    let created = try await client.post("/notes", ["title": "Tea", "text": "Buy Assam."], token)
    #expect(created.status == 201)
    #expect(created.headers["etag"] == "\"1\"")
    let note: SentNote = try created.decoded()
    let path = "/notes/\(note.id)"
    #expect(created.headers["location"] == path)
    #expect(try await client.get(path, token).decoded() == note)

    pause()
    let updated = try await client.put(path, ["title": "Tea", "text": "Buy Darjeeling."], token, ifMatch: "\"1\"")
    #expect(updated.status == 200)
    #expect(updated.headers["etag"] == "\"2\"")
    let second: SentNote = try updated.decoded()
    #expect(second.text == "Buy Darjeeling.")
    #expect(second.version == 2)
    #expect(second.createdAt == note.createdAt)
    #expect(try await client.get(path, token).decoded() == second)

    #expect(try await client.delete(path, token).status == 204)
    #expect(try await client.get(path, token).status == 404)
    #expect(try await client.delete(path, token).status == 404)
  }

  @Test("Times and identifiers come from the clock and the random source")
  func overrides() async throws {
    let service = TestService()
    try await service.run { client in
      let token = try await client.token(of: "ada")
      let note = try await client.note("Tea", token)
      #expect(note.createdAt == "2027-01-15T08:00:00.000Z")
      #expect(note.updatedAt == note.createdAt)
      service.clock.advance(bySeconds: 1.5)
      let answer = try await client.put(
        "/notes/\(note.id)", ["title": "Tea", "text": ""], token, ifMatch: "\"1\"")
      #expect(try answer.decoded(as: SentNote.self).updatedAt == "2027-01-15T08:00:01.500Z")
    }
    let again = try await TestService().run { try await $0.note("Tea", $0.token(of: "ada")).id }
    let andAgain = try await TestService().run { try await $0.note("Tea", $0.token(of: "ada")).id }
    #expect(again == andAgain)
  }

  // MARK: - Versions

  @Test("An update must name the version that it is meant for", arguments: Transport.allCases)
  func versions(transport: Transport) async throws {
    try await TestService().run(over: transport) { client in
      let token = try await client.token(of: "ada")
      let note = try await client.note("Tea", token)
      let path = "/notes/\(note.id)"

      let without = try await client.put(path, ["title": "No", "text": ""], token)
      #expect(without.status == 428)
      #expect(try without.problem.detail?.contains("If-Match") == true)
      for wrong in ["\"2\"", "W/\"1\"", "\"0\", \"3\"", "\"1 \""] {
        let answer = try await client.put(path, ["title": "No", "text": ""], token, ifMatch: wrong)
        #expect(answer.status == 412)
        #expect(answer.headers["etag"] == "\"1\"")
        #expect(try await client.delete(path, token, headers: ["If-Match": wrong]).status == 412)
      }
      for malformed in ["1", "", "\"1", "\"1\", x"] {
        #expect(try await client.put(path, ["title": "No", "text": ""], token, ifMatch: malformed).status == 400)
      }
      #expect(try await client.get(path, token).decoded() == note)

      for (version, right) in ["\"1\"", "*", "\"7\", \"3\""].enumerated() {
        let answer = try await client.put(path, ["title": "Yes", "text": ""], token, ifMatch: right)
        #expect(answer.headers["etag"] == "\"\(version + 2)\"")
      }
      #expect(try await client.delete(path, token, headers: ["If-Match": "\"4\""]).status == 204)
    }
  }

  @Test("Of many updates of one version, one wins and the others are told", arguments: Transport.allCases)
  func race(transport: Transport) async throws {
    try await TestService().run(over: transport) { client in
      let token = try await client.token(of: "ada")
      let note = try await client.note("Tea", token)
      let answers = try await withThrowingTaskGroup(of: Answer.self) { group in
        for number in 0..<20 {
          group.addTask {
            try await client.put("/notes/\(note.id)", ["title": "\(number)", "text": ""], token, ifMatch: "\"1\"")
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      let winner = try #require(answers.first { $0.status == 200 })
      #expect(answers.count { $0.status == 412 } == 19)
      #expect(try await client.get("/notes/\(note.id)", token).decoded() == winner.decoded(as: SentNote.self))
    }
  }

  @Test("Who has a note already does not get it again")
  func notModified() async throws {
    try await TestService().run { client in
      let token = try await client.token(of: "ada")
      let note = try await client.note("Tea", token)
      for known in ["\"1\"", "W/\"1\"", "\"5\", \"1\"", "*"] {
        let answer = try await client.get("/notes/\(note.id)", token, headers: ["If-None-Match": known])
        #expect(answer.status == 304)
        #expect(answer.body.isEmpty)
        #expect(answer.headers["etag"] == "\"1\"")
      }
      #expect(try await client.get("/notes/\(note.id)", token, headers: ["If-None-Match": "\"2\""]).status == 200)
    }
  }

  // MARK: - Owners

  @Test("Nobody reads, finds, changes or deletes the notes of others", arguments: Transport.allCases)
  func owners(transport: Transport) async throws {
    try await TestService().run(over: transport) { client in
      let ada = try await client.token(of: "ada")
      let bob = try await client.token(of: "bob")
      let note = try await client.note("Secret", "Ada's own", ada)
      let path = "/notes/\(note.id)"

      #expect(try await client.get(path, bob).status == 404)
      #expect(try await client.put(path, ["title": "Mine", "text": ""], bob, ifMatch: "*").status == 404)
      #expect(try await client.delete(path, bob).status == 404)
      #expect(try await client.get("/notes", bob).decoded(as: SentPage.self).notes.isEmpty)
      #expect(try await client.get("/notes?search=secret", bob).decoded(as: SentPage.self).notes.isEmpty)
      #expect(try await client.get(path, ada).decoded() == note)
      // A note of another user gets the same answer as a missing note.
      var foreign = try await client.get(path, bob).problem
      var missing = try await client.get("/notes/none", bob).problem
      foreign.requestID = nil
      missing.requestID = nil
      #expect(foreign == missing)
    }
  }

  @Test("Requests of different users at the same time do not mix", arguments: Transport.allCases)
  func crowd(transport: Transport) async throws {
    let service = TestService()
    try await service.run(over: transport) { client in
      var tokens: [String] = []
      for number in 0..<4 { tokens.append(try await client.token(of: "user\(number)")) }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for (number, token) in tokens.enumerated() {
          for _ in 0..<25 {
            group.addTask {
              let note = try await client.note("of user \(number)", token)
              #expect(note.title == "of user \(number)")
              let page: SentPage = try await client.get("/notes?limit=100", token).decoded()
              #expect(page.notes.contains(note))
              #expect(page.notes.allSatisfy { $0.title == "of user \(number)" })
            }
          }
        }
        try await group.waitForAll()
      }
      // Each request's pod was released, and no instance of it is cached.
      let graph = service.pod.graph
      #expect(graph.children.isEmpty)
      #expect(graph.captiveDependencies.isEmpty)
      #expect(graph.nodes.allSatisfy { $0.provider.scope != "RequestScope" })
    }
    #expect(service.logged("database opened") == 1)
  }
}
