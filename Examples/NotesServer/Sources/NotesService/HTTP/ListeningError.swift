import NIOCore

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The error of a server that cannot listen, with a description for the person who started the server.
public struct ListeningError: Error, CustomStringConvertible {
  /// The reason, and the fix.
  public let description: String

  /// Explains an error of the server, if it is about listening.
  ///
  /// - Parameters:
  ///   - error: The error of the server.
  ///   - host: Where it was to listen.
  ///   - port: Where it was to listen.
  public init?(_ error: any Error, host: String, port: Int) {
    let place = "\(host):\(port)"
    switch error {
    case let error as IOError where error.errnoCode == EADDRINUSE:
      description = "\(place) is in use; stop what uses it, or choose another with --port"
    case let error as IOError where error.errnoCode == EACCES:
      description = "\(place) needs more rights; choose a port above 1023 with --port"
    case let error as IOError where error.errnoCode == EADDRNOTAVAIL:
      description = "\(place) is no address of this machine; choose another with --host"
    case is SocketAddressError:
      description = "'\(host)' cannot be found; choose another with --host"
    default:
      return nil
    }
  }
}
