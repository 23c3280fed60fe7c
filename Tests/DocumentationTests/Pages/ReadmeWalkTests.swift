import Foundation
import Testing

/// Follows the README as a new user would: writes the files that it shows and runs the command that it names.
@Suite("README, step by step")
struct ReadmeWalkTests {
  @Test("The README names exactly two commands")
  func commands() throws {
    let readme = try MarkdownPage(path: "README.md")
    let commands = readme.blocks.filter { $0.language == "bash" }.flatMap { $0.text.split(separator: "\n") }
    #expect(commands == ["swift run --package-path Examples/RepoReport repo-report .", "swift test"])
  }

  @Test("The package that the README shows builds and its test passes", .timeLimit(.minutes(10)))
  func package() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "peapod-readme-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let files = try MarkdownPage(path: "README.md").blocks.filter { $0.fileName != nil }
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
}
