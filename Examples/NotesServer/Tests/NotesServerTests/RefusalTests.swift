import Testing

@testable import NotesService

/// A refused request gets a clear answer, and changes nothing.
@Suite struct RefusalTests {
  @Test(
    "What is not the JSON that was expected is a bad request",
    arguments: Transport.allCases,
    [
      "", "{", "[]", "{\"title\": 1, \"text\": \"\"}", "{\"title\": \"Tea\"}", "{\"title\": null, \"text\": \"\"}",
      "\u{FF}",
    ])
  func badJSON(transport: Transport, body: String) async throws {
    try await TestService().run(over: transport) { client in
      let token = try await client.token(of: "ada")
      let headers = ["Content-Type": "application/json; charset=utf-8", "Authorization": "Bearer \(token)"]
      let answer = try await client.send("POST", "/notes", headers: headers, body: Array(body.utf8))
      #expect(answer.status == 400)
      let problem = try answer.problem
      #expect(problem.title == "Bad Request")
      #expect(problem.detail?.isEmpty == false)
      #expect(problem.requestID == answer.headers["x-request-id"])
      #expect(try await client.get("/notes", token).decoded(as: SentPage.self).notes.isEmpty)
    }
  }

  @Test("What is not called JSON is refused", arguments: ["text/plain", "application/x-www-form-urlencoded", nil])
  func mediaType(type: String?) async throws {
    try await TestService().run { client in
      var headers = ["Authorization": "Bearer \(try await client.token(of: "ada"))"]
      headers["Content-Type"] = type
      let answer = try await client.send("POST", "/notes", headers: headers, body: Array("{}".utf8))
      #expect(answer.status == 415)
    }
  }

  @Test("A body that is too large is refused, declared or not", arguments: Transport.allCases)
  func largeBody(transport: Transport) async throws {
    try await TestService().run(over: transport) { client in
      let token = try await client.token(of: "ada")
      let text = String(repeating: "a", count: 70_000)
      let declared = try await client.post("/notes", ["title": "Tea", "text": text], token)
      #expect(declared.status == 413)
      #expect(try declared.problem.detail?.contains("65536") == true)
      if let client = client as? SocketClient {
        let head = """
          POST /notes HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\
          Content-Type: application/json\r\nAuthorization: Bearer \(token)\r\n\r\n
          """
        let chunk = "8000\r\n" + String(repeating: "a", count: 0x8000) + "\r\n"
        let answer = try await client.exchange(Array("\(head)\(chunk)\(chunk)\(chunk)0\r\n\r\n".utf8))
        #expect(answer.status == 413)
      }
      #expect(try await client.get("/notes", token).decoded(as: SentPage.self).notes.isEmpty)
    }
  }

  @Test("Titles and texts have limits")
  func limits() async throws {
    try await TestService().run { client in
      let token = try await client.token(of: "ada")
      for (title, text, field) in [
        ("", "", "title"), (" \n", "", "title"), (String(repeating: "t", count: 201), "", "title"),
        ("Tea", String(repeating: "t", count: 20_001), "text"), ("Tea\0", "", "title"), ("Tea", "\0", "text"),
      ] {
        let answer = try await client.post("/notes", ["title": title, "text": text], token)
        #expect(answer.status == 422)
        #expect(try answer.problem.errors?.map(\.field) == [field])
      }
      let longest = ["title": String(repeating: "é", count: 200), "text": String(repeating: "é", count: 20_000)]
      #expect(try await client.post("/notes", longest, token).status == 201)
    }
  }

  @Test("An address or a method that is not known is not found", arguments: Transport.allCases)
  func unknown(transport: Transport) async throws {
    try await TestService().run(over: transport) { client in
      for (method, path) in [("GET", "/"), ("GET", "/nothing"), ("POST", "/notes/x"), ("PATCH", "/notes")] {
        let answer = try await client.send(method, path, headers: [:], body: nil)
        #expect(answer.status == 404)
        #expect(try answer.problem.title == "Not Found")
      }
      #expect(try await client.get("/health").status == 204)
    }
  }

  @Test("What is not HTTP is a bad request, and the server goes on")
  func notHTTP() async throws {
    try await TestService().run(over: .socket) { client in
      let client = try #require(client as? SocketClient)
      #expect(try await client.exchange(Array("what is this\r\n\r\n".utf8)).status == 400)
      #expect(try await client.get("/health").status == 204)
    }
  }

  @Test("Who asks too often has to wait", arguments: Transport.allCases)
  func requestRate(transport: Transport) async throws {
    let service = TestService { $0.requestRate = Rate(perSecond: 0.5, burst: 3) }
    try await service.run(over: transport) { client in
      for _ in 0..<3 { #expect(try await client.get("/health").status == 204) }
      let answer = try await client.get("/health")
      #expect(answer.status == 429)
      #expect(answer.headers["retry-after"] == "2")
      #expect(try answer.problem.title == "Too Many Requests")
      service.clock.advance(bySeconds: 2)
      #expect(try await client.get("/health").status == 204)
      #expect(try await client.get("/health").status == 429)
    }
  }

  @Test("Passwords are tried less often")
  func signInRate() async throws {
    let service = TestService { $0.signInRate = Rate(perSecond: 0.1, burst: 2) }
    try await service.run { client in
      for _ in 0..<2 {
        #expect(try await client.post("/sessions", ["name": "ada", "password": "a guess or so"]).status == 401)
      }
      let answer = try await client.post("/sessions", ["name": "ada", "password": "a guess or so"])
      #expect(answer.status == 429)
      #expect(answer.headers["retry-after"] == "10")
      #expect(try await client.get("/health").status == 204)
    }
  }

  @Test("A limiter does not grow without bound, and each address has its own bucket")
  func limiter() throws {
    let clock = TestClock()
    let limiter = RateLimiter(rate: Rate(perSecond: 1, burst: 1), clock: clock.clock)
    for number in 0..<30_000 { try limiter.admit("address \(number)") }
    #expect(throws: ServiceError.tooMany(retryAfterSeconds: 1)) { try limiter.admit("address 29999") }
    clock.advance(bySeconds: 1)
    try limiter.admit("address 29999")
  }
}
