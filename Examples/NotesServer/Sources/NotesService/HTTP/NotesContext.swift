import Hummingbird
import Logging
import NIOCore

/// The context of a request, which the middleware passes to the handler.
struct NotesContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  let peer: Peer
  var details: RequestDetails
  /// The token that the user showed.
  var token: SessionToken?
  var requestServices: (any RequestServices)?

  init(source: ApplicationRequestContextSource) {
    coreContext = CoreRequestContextStorage(source: source)
    peer = Peer(source.channel.remoteAddress)
    details = RequestDetails(id: "", logger: source.logger)
  }

  /// How large the body of a request may be, in bytes.
  var maxUploadSize: Int { 64 * 1024 }

  /// The services of this request.
  var services: any RequestServices {
    guard let requestServices else {
      fatalError("\(ServicesMiddleware.self) must come before a handler that uses services")
    }
    return requestServices
  }
}
