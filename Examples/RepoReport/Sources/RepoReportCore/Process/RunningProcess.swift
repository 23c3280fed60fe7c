import Dispatch
import Foundation
import PeapodSystem
import Synchronization

/// A running program, which is stopped when its output is no longer read.
final class RunningProcess: Sendable {
  private static let pieceSize = 64 * 1024
  private static let messageSize = 4 * 1024

  private let process = Process()
  private let output: FileHandle
  private let message = Mutex(Data())
  private let reading = DispatchQueue(label: "repo-report.process-output")
  private let ending = DispatchGroup()

  init(_ command: Command, environment: ProcessEnvironment) throws {
    let outputPipe = Pipe()
    let errorPipe = Pipe()
    output = outputPipe.fileHandleForReading
    process.executableURL = URL(filePath: command.program)
    process.arguments = command.arguments
    process.environment = environment.variables.applying(command.environment)
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = outputPipe
    process.standardError = errorPipe

    ending.enter()
    process.terminationHandler = { [ending] _ in ending.leave() }
    do {
      try process.run()
    } catch {
      ending.leave()
      throw error
    }
    DispatchQueue.global().async(group: ending) { [weak self] in
      // Everything is read, so that the program never waits, but only the beginning is stored.
      while let data = try? errorPipe.fileHandleForReading.read(upToCount: Self.messageSize), !data.isEmpty {
        self?.message.withLock { $0.append(data.prefix(Self.messageSize - $0.count)) }
      }
    }
  }

  deinit {
    if process.isRunning { process.terminate() }
  }

  /// Returns the next bytes of the output, or `nil` at its end.
  func nextPiece() async throws -> [UInt8]? {
    if let data = try await read(), !data.isEmpty { return Array(data) }
    await end()
    guard process.terminationStatus == 0 else {
      throw ProcessFailure(
        status: process.terminationStatus,
        message: message.withLock { String(decoding: $0, as: UTF8.self) })
    }
    return nil
  }

  /// Reads on a queue, because reading blocks its thread, and the threads of tasks are few.
  private func read() async throws -> Data? {
    try await withCheckedThrowingContinuation { continuation in
      reading.async { [output] in
        continuation.resume(with: Result { try output.read(upToCount: Self.pieceSize) })
      }
    }
  }

  /// Waits until the program has ended and all that it wrote to standard error is read.
  private func end() async {
    await withCheckedContinuation { continuation in
      ending.notify(queue: reading) { continuation.resume() }
    }
  }
}

extension [String: String] {
  /// Returns these variables after some were set, and others, for which there is `nil`, removed.
  fileprivate func applying(_ changes: [String: String?]) -> Self {
    changes.reduce(into: self) { result, change in result[change.key] = change.value }
  }
}
