import Foundation

/// Type-checks programs against the library that the tests are built with.
enum Compiler {
  /// Returns what the compiler prints for a program, which may be one of statements, as a `main.swift` is.
  static func output(of source: String, hasStatements: Bool = false, _ arguments: [String] = []) throws -> String {
    let file = FileManager.default.temporaryDirectory.appending(path: "peapod-docs-\(UUID().uuidString).swift")
    defer { try? FileManager.default.removeItem(at: file) }
    try source.write(to: file, atomically: true, encoding: .utf8)
    let modules = try modules().path
    let arguments = ["-I", modules] + (hasStatements ? [] : ["-parse-as-library"]) + arguments
    return try run(["swiftc", "-typecheck"] + arguments + [file.path]).output
  }

  /// Runs a command and returns its exit code and everything that it prints.
  static func run(_ arguments: [String]) throws -> (status: Int32, output: String) {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (process.terminationStatus, output)
  }

  /// The folder of the modules that this test was built with: it stands beside the test's bundle.
  private static func modules() throws -> URL {
    var folder = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath()
    while folder.path != "/" {
      folder.deleteLastPathComponent()
      let modules = folder.appending(path: "Modules")
      if FileManager.default.fileExists(atPath: modules.appending(path: "Peapod.swiftmodule").path) { return modules }
    }
    throw CocoaError(.fileNoSuchFile)
  }
}
