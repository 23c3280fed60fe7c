import Foundation
import Peapod
import Testing

/// It builds a package, which takes about a minute, so it runs only where `PEAPOD_RELEASE_CHECK` asks for it.
@Suite(
  "A release build of an app that links only Peapod",
  .enabled(if: ProcessInfo.processInfo.environment["PEAPOD_RELEASE_CHECK"] != nil))
struct ReleaseBuildTests {
  private static let traces = ["PeapodTesting", "ResolutionRecorder", "PEAPOD_RECORD_GRAPHS", "7Testing"]

  @Test("contains nothing of PeapodTesting")
  func containsNothing() throws {
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent("PeapodApp-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: directory) }
    let app = try Data(contentsOf: try build(in: directory))
    #expect(app.range(of: Data("6Peapod".utf8)) != nil, "the app does not use Peapod at all")
    for trace in Self.traces {
      #expect(app.range(of: Data(trace.utf8)) == nil, "found \(trace)")
    }
  }

  #if os(Linux)
    @Test("would be found out: the traces are in this test's own binary")
    func findsTraces() throws {
      let tests = try Data(contentsOf: URL(fileURLWithPath: "/proc/self/exe"))
      for trace in Self.traces {
        #expect(tests.range(of: Data(trace.utf8)) != nil, "did not find \(trace)")
      }
    }
  #endif

  /// Builds the app and returns its executable.
  private func build(in directory: URL) throws -> URL {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let sources = directory.appendingPathComponent("Sources/App")
    try FileManager.default.createDirectory(at: sources, withIntermediateDirectories: true)
    let manifest = """
      // swift-tools-version: 6.2
      import PackageDescription
      let package = Package(
        name: "App", platforms: [.macOS(.v15)], dependencies: [.package(name: "peapod", path: "\(root.path)")],
        targets: [.executableTarget(name: "App", dependencies: [.product(name: "Peapod", package: "peapod")])])
      """
    let program = """
      import Peapod
      let greeting = Provider { _ in "hello" }
      print(Pod.shared.resolve(greeting))
      """
    try Data(manifest.utf8).write(to: directory.appendingPathComponent("Package.swift"))
    try Data(program.utf8).write(to: sources.appendingPathComponent("main.swift"))
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["swift", "build", "-c", "release", "--package-path", directory.path]
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
    return directory.appendingPathComponent(".build/release/App")
  }
}
