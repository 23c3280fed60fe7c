import Foundation
import HTTPTypes
import Hummingbird

extension Request {
  /// Reads the body as JSON.
  func json<Value: Decodable>(_ context: NotesContext) async throws -> Value {
    let type = headers[.contentType]?.prefix { $0 != ";" }.lowercased() ?? ""
    guard type == "application/json" || type == "application/json " else {
      throw HTTPError(.unsupportedMediaType, message: "Send JSON, with Content-Type: application/json.")
    }
    // A body whose length is too large need not be read.
    if let length = headers[.contentLength].flatMap(Int.init), length > context.maxUploadSize {
      throw HTTPError(.contentTooLarge)
    }
    return try await decode(as: Value.self, context: context)
  }
}

extension Encodable {
  /// Returns an answer with the value as JSON.
  func json(_ status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]) throws -> Response {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    let body = try encoder.encode(self)
    var headers = headers
    headers[.contentType] = "application/json"
    headers[.contentLength] = "\(body.count)"
    return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: body)))
  }
}
