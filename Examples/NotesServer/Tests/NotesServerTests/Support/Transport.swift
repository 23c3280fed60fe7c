/// How requests reach the service.
enum Transport: CaseIterable {
  /// Handed to the router.
  case inProcess
  /// Sent through a socket to the server.
  case socket
}
