import Foundation

/// Sends requests to the service.
protocol Client: Sendable {
  func send(_ method: String, _ path: String, headers: [String: String], body: [UInt8]?) async throws -> Answer
}

extension Client {
  func get(_ path: String, _ token: String? = nil, headers: [String: String] = [:]) async throws -> Answer {
    try await send("GET", path, headers: headers.merging(authorization(token)) { $1 }, body: nil)
  }

  func delete(_ path: String, _ token: String?, headers: [String: String] = [:]) async throws -> Answer {
    try await send("DELETE", path, headers: headers.merging(authorization(token)) { $1 }, body: nil)
  }

  func post(_ path: String, _ json: [String: String], _ token: String? = nil) async throws -> Answer {
    try await send("POST", path, headers: jsonType.merging(authorization(token)) { $1 }, body: encoded(json))
  }

  func put(_ path: String, _ json: [String: String], _ token: String?, ifMatch: String? = nil) async throws -> Answer {
    var headers = jsonType.merging(authorization(token)) { $1 }
    headers["If-Match"] = ifMatch
    return try await send("PUT", path, headers: headers, body: encoded(json))
  }

  /// Signs a user up and in, and returns the token.
  func token(of name: String) async throws -> String {
    _ = try await post("/users", ["name": name, "password": "a long password"])
    let session = try await post("/sessions", ["name": name, "password": "a long password"])
    return try session.decoded(as: SentSession.self).token
  }

  /// Makes a note and returns it.
  func note(_ title: String, _ text: String, _ token: String) async throws -> SentNote {
    try await post("/notes", ["title": title, "text": text], token).decoded()
  }

  /// Makes a note without a text and returns it.
  func note(_ title: String, _ token: String) async throws -> SentNote { try await note(title, "", token) }

  private var jsonType: [String: String] { ["Content-Type": "application/json"] }

  private func authorization(_ token: String?) -> [String: String] {
    token.map { ["Authorization": "Bearer \($0)"] } ?? [:]
  }

  private func encoded(_ json: [String: String]) throws -> [UInt8] {
    Array(try JSONEncoder().encode(json))
  }
}
