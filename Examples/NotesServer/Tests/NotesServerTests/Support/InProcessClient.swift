import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOEmbedded

@testable import NotesService

/// Hands requests to the router, without a server.
struct InProcessClient: Client {
  private let responder: RouterResponder<NotesContext>

  init(_ wiring: any Wiring) {
    responder = NotesApplication.router(wiring: wiring).buildResponder()
  }

  func send(_ method: String, _ path: String, headers: [String: String], body: [UInt8]?) async throws -> Answer {
    var fields = HTTPFields()
    for (name, value) in headers { fields[HTTPField.Name(name)!] = value }
    let head = HTTPRequest(
      method: HTTPRequest.Method(method)!, scheme: "http", authority: "localhost", path: path, headerFields: fields)
    let request = Request(head: head, body: RequestBody(buffer: ByteBuffer(bytes: body ?? [])))
    let source = ApplicationRequestContextSource(channel: NIOAsyncTestingChannel(), logger: Logger(label: "test"))
    let response = try await responder.respond(to: request, context: NotesContext(source: source))
    let collector = Collector()
    try await response.body.write(collector)
    return await Answer(
      status: response.status.code,
      headers: Dictionary(
        response.headers.map { ($0.name.canonicalName, $0.value) }, uniquingKeysWith: { "\($0), \($1)" }),
      body: collector.bytes)
  }

  private actor Collector: ResponseBodyWriter {
    private(set) var bytes: [UInt8] = []

    func write(_ buffer: ByteBuffer) { bytes += buffer.readableBytesView }
    func finish(_ trailers: HTTPFields?) {}
  }
}
