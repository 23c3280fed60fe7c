import NIOCore
import NotesService
import NotesWiring

/// A server that listens at a port of its own.
struct RunningServer: Sendable {
  let server: Server
  let port: Int

  /// Runs a server while a test uses it; the test may stop it earlier.
  static func with<Result: Sendable>(
    _ wiring: any Wiring, _ test: @escaping @Sendable (RunningServer) async throws -> Result
  ) async throws -> Result {
    let (addresses, continuation) = AsyncStream.makeStream(of: SocketAddress?.self)
    let server = Server(wiring: wiring, host: "127.0.0.1", port: 0, signals: []) { continuation.yield($0) }
    return try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        defer { continuation.finish() }
        try await server.run()
      }
      guard let port = await addresses.first(where: { _ in true })??.port else {
        try await group.waitForAll()
        throw NotListening()
      }
      do {
        let result = try await test(RunningServer(server: server, port: port))
        await server.stop()
        try await group.waitForAll()
        return result
      } catch {
        await server.stop()
        try await group.waitForAll()
        throw error
      }
    }
  }

  struct NotListening: Error {}
}
