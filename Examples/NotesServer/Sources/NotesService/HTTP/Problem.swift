import Foundation
import HTTPTypes
import Hummingbird

/// Why a request was not done, as RFC 9457 has it: `application/problem+json`.
///
/// The type of all of them is `about:blank`, which is left out: the status says what it is about.
public struct Problem: Codable, Equatable, Sendable {
  /// The reason phrase of the status.
  public var title: String
  /// The status of the answer.
  public var status: Int
  /// A description of this case.
  public var detail: String?
  /// Names the request in the server's log.
  public var requestID: String?
  /// The errors of the request.
  public var errors: [InvalidField]?
}

extension Problem {
  init(_ status: HTTPResponse.Status, _ detail: String?, errors: [InvalidField]? = nil) {
    self.init(title: status.reasonPhrase, status: status.code, detail: detail, errors: errors)
  }

  func response(headers: HTTPFields = [:]) throws -> Response {
    let body = try JSONEncoder().encode(self)
    var headers = headers
    headers[.contentType] = "application/problem+json"
    headers[.contentLength] = "\(body.count)"
    return Response(
      status: HTTPResponse.Status(code: status, reasonPhrase: title), headers: headers,
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: body)))
  }
}
