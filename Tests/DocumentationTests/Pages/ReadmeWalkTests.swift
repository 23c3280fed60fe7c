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

  @Test("The source that the README shows compiles in both language modes as it stands", arguments: ["5", "6"])
  func modes(version: String) throws {
    #expect(try Compiler.output(of: greeter(), ["-swift-version", version]) == "")
  }

  @Test("With main-actor default isolation it compiles after the change that the README names, and only then")
  func mainActor() throws {
    let mainActor = ["-swift-version", "6", "-default-isolation", "MainActor"]
    let unchanged = try Compiler.output(of: greeter(), mainActor)
    #expect(unchanged.contains("main actor-isolated let 'clockProvider' can not be referenced"), "\(unchanged)")
    let changed = try greeter().replacing(/\n(let|struct)\b/) { "\nnonisolated \($0.1)" }
    #expect(try Compiler.output(of: changed, mainActor) == "")
  }

  @Test("The program at the top of the README is a whole main.swift", arguments: ["5", "6"])
  func firstScreen(version: String) throws {
    let program = try #require(try MarkdownPage(path: "README.md").blocks.first { $0.language == "swift" })
    #expect(program.text.hasPrefix("import Peapod\n"))
    #expect(try Compiler.output(of: program.text, hasStatements: true, ["-swift-version", version]) == "")
  }

  private func greeter() throws -> String {
    let blocks = try MarkdownPage(path: "README.md").blocks
    return try #require(blocks.first { $0.fileName == "Sources/Hello/Greeter.swift" }).text
  }
}
