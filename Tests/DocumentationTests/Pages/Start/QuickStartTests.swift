import Foundation
import Testing

/// Follows the page as a new user would: writes the files that the page shows and runs the command that it names.
@Suite("Quick start, step by step")
struct QuickStartTests {
  @Test("The package that the page shows builds and its test passes", .timeLimit(.minutes(20)))
  func package() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "peapod-start-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let files = try files()
    #expect(files.compactMap(\.fileName).first == "Package.swift")
    for file in files {
      let place = folder.appending(path: file.fileName ?? "")
      try FileManager.default.createDirectory(at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
      let text = file.text.replacing("../peapod", with: SourceTree.root.path)
      try text.write(to: place, atomically: true, encoding: .utf8)
    }

    // The files are built next to the library's sources, whatever the folder of the clone is called.
    let (status, output) = try Compiler.run(["swift", "test", "--package-path", folder.path])
    #expect(status == 0, "\(output)")
    #expect(output.contains("Test run with 1 test"), "\(output)")
  }

  @Test(
    "The sources that the page shows compile in both language modes, and with main-actor default isolation",
    arguments: ["5", "6"], [[], ["-default-isolation", "MainActor"]])
  func modes(version: String, isolation: [String]) throws {
    let sources = try files().filter { $0.fileName?.hasPrefix("Sources/") == true }
    #expect(sources.count == 2)
    let program = sources.map(\.text).joined(separator: "\n")
    #expect(try Compiler.output(of: program, ["-swift-version", version] + isolation) == "")
  }

  private func files() throws -> [MarkdownPage.Block] {
    try MarkdownPage.article("QuickStart").blocks.filter { $0.fileName != nil }
  }
}
