import Foundation
import NotesService

/// The answer to a request.
struct Answer: Sendable {
  var status: Int
  /// By name, in lower case.
  var headers: [String: String]
  var body: [UInt8]

  var text: String { String(decoding: body, as: UTF8.self) }

  func decoded<Value: Decodable>(as type: Value.Type = Value.self) throws -> Value {
    try JSONDecoder().decode(Value.self, from: Data(body))
  }

  /// The problem that the answer reports.
  var problem: Problem {
    get throws {
      guard headers["content-type"] == "application/problem+json" else { throw NoProblem(answer: self) }
      return try decoded()
    }
  }

  struct NoProblem: Error {
    let answer: Answer
  }
}
