import Foundation

/// The program that was built together with the tests.
struct BuiltProgram {
  /// SwiftPM puts the program beside the bundle of the tests, which is one of the arguments of this process.
  private static let path: String = {
    let tests = CommandLine.arguments.first { $0.contains(".xctest") } ?? ""
    let folder = tests.split(separator: "/", omittingEmptySubsequences: false).prefix { !$0.hasSuffix(".xctest") }
    return folder.joined(separator: "/") + "/notes-server"
  }()

  /// The output and the status of a run.
  struct Outcome: Sendable, Equatable {
    var status: Int32
    var output: String
    var errors: String
  }

  private let process = Process()
  private let output = Pipe()
  private let errors = Pipe()

  init(_ arguments: [String]) throws {
    process.executableURL = URL(filePath: Self.path)
    process.arguments = arguments
    process.standardOutput = output
    process.standardError = errors
    try process.run()
  }

  /// Reads what the program says when it is ready, and returns the port that it names.
  func port() throws -> Int {
    var text = ""
    while let piece = try output.fileHandleForReading.read(upToCount: 1) {
      text += String(decoding: piece, as: UTF8.self)
      if let match = text.firstMatch(of: #/listens at http://[^:]+:(\d+)\. /#) { return Int(match.1) ?? 0 }
    }
    throw Silent()
  }

  func signal(_ number: Int32) {
    kill(process.processIdentifier, number)
  }

  /// Waits for the end of the program.
  func outcome() throws -> Outcome {
    let text = try output.fileHandleForReading.readToEnd() ?? Data()
    let complaint = try errors.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return Outcome(
      status: process.terminationStatus, output: String(decoding: text, as: UTF8.self),
      errors: String(decoding: complaint, as: UTF8.self))
  }

  struct Silent: Error {}
}
