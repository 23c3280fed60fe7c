import HTTPTypes
import Testing

@testable import NotesService

/// Tests of the pages that the server shows about itself.
@Suite struct DebugTests {
  @Test("The graph is a page that loads nothing")
  func graph() async throws {
    try await TestService().run(over: .socket) { client in
      _ = try await client.token(of: "ada")
      let answer = try await client.get("/debug/graph")
      #expect(answer.status == 200)
      #expect(answer.headers["content-type"] == "text/html; charset=utf-8")
      #expect(answer.headers["content-security-policy"]?.hasPrefix("default-src 'none'") == true)
      #expect(answer.text.contains("flowchart TD"))
      #expect(answer.text.contains("<svg"))
      for name in ["NotesDatabase", "AccountRepository", "PasswordHasher", "WallClock", "Settings", "requestLimiter"] {
        #expect(answer.text.contains(">\(name)<") || answer.text.contains(">\(name) (overridden)<"), "\(name)")
      }
      for forbidden in ["<script", "<link", "<img", "src=", "href=", "url(", "@import", "http:", "https:"] {
        #expect(!answer.text.contains(forbidden), "\(forbidden)")
      }
    }
  }

  @Test("Other machines see neither graph nor metrics", arguments: ["/debug/graph", "/debug/metrics"])
  func loopbackOnly(path: String) async throws {
    let withoutAddress = try await TestService().run { client in try await client.get(path) }
    #expect(withoutAddress.status == 404)
    try await TestService().run(over: .socket) { client in
      let local = try await client.get(path)
      #expect(local.status == 200)
      for header in ["Forwarded", "X-Forwarded-For"] {
        let forwarded = try await client.get(path, headers: [header: "for=192.0.2.1"])
        #expect(forwarded.status == 404)
      }
    }
  }

  @Test("Which addresses are on this machine")
  func peers() throws {
    for (address, isLoopback) in [
      ("127.0.0.1", true), ("127.9.9.9", true), ("::1", true), ("::ffff:127.0.0.1", true), ("192.0.2.1", false),
      ("::2", false), ("::ffff:192.0.2.1", false),
    ] {
      #expect(Peer(try .init(ipAddress: address, port: 1)).isLoopback == isLoopback, "\(address)")
    }
  }

  @Test("Requests are counted, with their status")
  func metrics() async throws {
    try await TestService().run(over: .socket) { client in
      for path in ["/health", "/nothing", "/notes"] { _ = try await client.get(path) }
      let text = try await client.get("/debug/metrics").text
      #expect(text.contains("notes_requests_received 4.0\n"))
      #expect(text.contains("notes_requests_answered{status=\"2xx\"} 1.0\n"))
      #expect(text.contains("notes_requests_answered{status=\"4xx\"} 2.0\n"))
      #expect(text.contains("notes_request_duration_count 3\n"))
    }
  }
}
