import HTTPTypes
import Hummingbird

/// Pages about the server itself, for clients on the same machine.
enum DebugRoutes {
  static func add(to group: RouterGroup<NotesContext>, wiring: any Wiring) {
    group.get("debug/graph") { _, _ in
      // The page may load nothing at all, and not run anything either.
      let policy = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"
      return text(wiring.graphPage, type: "text/html; charset=utf-8", [.contentSecurityPolicy: policy])
    }
    group.get("debug/metrics") { _, _ in
      text(wiring.metricsText, type: "text/plain; version=0.0.4; charset=utf-8")
    }
  }

  private static func text(_ text: String, type: String, _ headers: HTTPFields = [:]) -> Response {
    let body = ByteBuffer(string: text)
    var headers = headers
    headers[.contentType] = type
    headers[.contentLength] = "\(body.readableBytes)"
    headers[.cacheControl] = "no-store"
    return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: body))
  }
}
