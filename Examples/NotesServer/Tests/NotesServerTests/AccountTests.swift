import Foundation
import GRDB
import Peapod
import Testing

@testable import NotesService
@testable import NotesWiring

/// Signing up, in and out.
@Suite struct AccountTests {
  @Test("Who has signed up and in is known until the session is ended", arguments: Transport.allCases)
  func wayThrough(transport: Transport) async throws {
    try await TestService().run(over: transport) { client in
      let created = try await client.post("/users", ["name": "Ada", "password": "a long password"])
      #expect(created.status == 201)
      let user: User = try created.decoded()
      #expect(user.name == "Ada")

      let session = try await client.post("/sessions", ["name": "ada", "password": "a long password"])
      #expect(session.status == 201)
      #expect(session.headers["cache-control"] == "no-store")
      let token = try session.decoded(as: SentSession.self).token
      #expect(try await client.get("/users/me", token).decoded() == user)

      #expect(try await client.delete("/sessions/current", token).status == 204)
      let after = try await client.get("/users/me", token)
      #expect(after.status == 401)
      #expect(after.headers["www-authenticate"] == "Bearer")
    }
  }

  @Test("A session ends after thirty days")
  func expiry() async throws {
    let service = TestService()
    try await service.run { client in
      let token = try await client.token(of: "ada")
      service.clock.advance(bySeconds: 30 * 24 * 3600 - 1)
      #expect(try await client.get("/users/me", token).status == 200)
      service.clock.advance(bySeconds: 1)
      #expect(try await client.get("/users/me", token).status == 401)
    }
  }

  @Test("A name is given once, in whatever case")
  func takenName() async throws {
    try await TestService().run { client in
      _ = try await client.post("/users", ["name": "ada", "password": "a long password"])
      let second = try await client.post("/users", ["name": "ADA", "password": "another password"])
      #expect(second.status == 409)
      #expect(try second.problem.title == "Conflict")
    }
  }

  @Test("A wrong password and an unknown name look alike")
  func wrongCredentials() async throws {
    try await TestService().run { client in
      _ = try await client.post("/users", ["name": "ada", "password": "a long password"])
      var problems: [Problem] = []
      for (name, password) in [("ada", "a wrong password"), ("bob", "a long password"), ("ada", "short")] {
        let answer = try await client.post("/sessions", ["name": name, "password": password])
        #expect(answer.status == 401)
        var problem = try answer.problem
        problem.requestID = nil
        problems.append(problem)
      }
      #expect(Set(problems.map(\.detail)) == ["Name or password is wrong."])
      #expect(problems.allSatisfy { $0 == problems[0] })
    }
  }

  @Test(
    "Names and passwords that cannot be accepted are refused, field by field",
    arguments: [
      ("", "a long password", ["name"]), ("a b", "a long password", ["name"]), ("añb", "a long password", ["name"]),
      (String(repeating: "a", count: 41), "a long password", ["name"]), ("ada", "1234567", ["password"]),
      ("", "", ["name", "password"]), ("ada", String(repeating: "p", count: 201), ["password"]),
    ])
  func validation(name: String, password: String, fields: [String]) async throws {
    try await TestService().run { client in
      let answer = try await client.post("/users", ["name": name, "password": password])
      #expect(answer.status == 422)
      #expect(try answer.problem.errors?.map(\.field) == fields)
    }
  }

  @Test("Neither passwords nor tokens are stored")
  func hashes() async throws {
    let service = TestService()
    try await service.run { client in
      let token = try await client.token(of: "ada")
      let database = try await service.pod.resolve(databaseProvider)
      let (hash, tokenHash) = try await database.access.read { database in
        try (
          String.fetchOne(database, sql: "SELECT passwordHash FROM user"),
          Data.fetchOne(database, sql: "SELECT tokenHash FROM session")
        )
      }
      #expect(hash?.hasPrefix("scrypt:16:1:1:") == true)
      #expect(hash?.contains("a long password") == false)
      #expect(tokenHash.map { [UInt8]($0) } == SessionToken(token)?.hash)
      #expect(tokenHash.map { [UInt8]($0) } != Base64URL.decode(token))
    }
  }

  @Test(
    "What is no token is refused",
    arguments: ["", "Bearer", "Bearer x", "Basic YTpi", "Bearer " + String(repeating: "A", count: 43), "Bearer a b"])
  func badTokens(header: String) async throws {
    try await TestService().run { client in
      let answer = try await client.get("/notes", headers: ["Authorization": header])
      #expect(answer.status == 401)
      #expect(try answer.problem.detail?.contains("Authorization: Bearer") == true)
    }
  }

  @Test("The recommended cost is used unless a test says otherwise, and finds the password again")
  func recommendedCost() async throws {
    let hasher = PasswordHasher(cost: Settings().passwordCost, random: .system)
    let credentials = Credentials(name: "ada", password: "Tre\u{301}s long")
    let hash = try await hasher.hash(credentials)
    #expect(hash.description.hasPrefix("scrypt:32768:8:3:"))
    let stored = PasswordHash(hash.description)
    // The same letters, composed in another way.
    #expect(try await hasher.isCorrect(Credentials(name: "ada", password: "Tr\u{E9}s long"), stored))
    #expect(try await !hasher.isCorrect(Credentials(name: "ada", password: "Tres long"), stored))
  }
}
