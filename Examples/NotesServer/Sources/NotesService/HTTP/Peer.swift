import NIOCore

/// The other end of a connection.
struct Peer: Sendable {
  /// Its address, without the port.
  let address: String
  /// Whether it is on this machine.
  let isLoopback: Bool

  init(_ socketAddress: SocketAddress?) {
    switch socketAddress {
    case .v4, .v6:
      let text = socketAddress?.ipAddress ?? ""
      address = text
      isLoopback = text.hasPrefix("127.") || text.hasPrefix("::ffff:127.") || text == "::1"
    case .unixDomainSocket:
      address = "unix"
      isLoopback = true
    case nil:
      address = "unknown"
      isLoopback = false
    }
  }
}
