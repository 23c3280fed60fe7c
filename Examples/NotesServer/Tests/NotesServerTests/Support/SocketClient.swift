import NIOCore
import NIOPosix

/// Sends each request through a connection of its own, as the bytes that they are.
struct SocketClient: Client {
  let port: Int

  func send(_ method: String, _ path: String, headers: [String: String], body: [UInt8]?) async throws -> Answer {
    try await exchange(head(method, path, headers: headers, bodyLength: body?.count) + (body ?? []))
  }

  /// The bytes of a request before its body.
  func head(_ method: String, _ path: String, headers: [String: String], bodyLength: Int?) -> [UInt8] {
    var lines = ["\(method) \(path) HTTP/1.1", "Host: localhost", "Connection: close"]
    lines += headers.map { "\($0.key): \($0.value)" }
    if let bodyLength { lines.append("Content-Length: \(bodyLength)") }
    return Array((lines.map { $0 + "\r\n" }.joined() + "\r\n").utf8)
  }

  /// Sends bytes, and then more; reads until the server closes the connection, and takes the answer apart.
  ///
  /// Where there is no more, nothing is written after the bytes: a server that has answered may have closed already.
  func exchange(_ bytes: [UInt8], then rest: (() async throws -> [UInt8])? = nil) async throws -> Answer {
    let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
      .connect(host: "127.0.0.1", port: port) { channel in
        channel.eventLoop.makeCompletedFuture {
          try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
        }
      }
    let received = try await channel.executeThenClose { inbound, outbound in
      try await outbound.write(ByteBuffer(bytes: bytes))
      if let rest { try await outbound.write(ByteBuffer(bytes: rest())) }
      var received: [UInt8] = []
      for try await buffer in inbound { received += buffer.readableBytesView }
      return received
    }
    return try Answer(parsing: received)
  }
}

extension Answer {
  struct Malformed: Error {
    let text: String
  }

  /// Takes apart what a server sent that closes the connection after it.
  init(parsing bytes: [UInt8]) throws {
    let text = String(decoding: bytes, as: UTF8.self)
    guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { throw Malformed(text: text) }
    let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).split(separator: "\r\n")
    let words = lines[0].split(separator: " ")
    guard words.count >= 2, let status = Int(words[1]) else { throw Malformed(text: text) }
    let fields = lines.dropFirst().map { line in
      let parts = line.split(separator: ":", maxSplits: 1)
      return (parts[0].lowercased(), parts.count > 1 ? String(parts[1].drop { $0 == " " }) : "")
    }
    self.init(
      status: status, headers: Dictionary(fields, uniquingKeysWith: { "\($0), \($1)" }),
      body: Array(bytes[end.upperBound...]))
    if let length = headers["content-length"].flatMap(Int.init), length != body.count { throw Malformed(text: text) }
  }
}
