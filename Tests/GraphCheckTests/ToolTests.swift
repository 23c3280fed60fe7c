#if DEBUG && (os(macOS) || os(Linux))
  import Foundation
  import GraphCheck
  import Testing

  /// Rule 34: the command-line tool.
  @Suite struct ToolTests {
    private func run(_ arguments: String...) throws -> (status: Int32, text: String) {
      let store = try #require(StoreLocator.besideProgram)
      let tool = URL(filePath: store).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "check-graph")
      return try CompiledProgram.run(tool, ["--store", store] + arguments)
    }

    @Test("R34 errors give exit status 1, and warnings do not")
    func status() throws {
      let planted = try run("--root", Fixture.sources)
      #expect(planted.status == 1)
      #expect(planted.text.contains(": error: appThing [singleton] keeps screenThing [ScreenScope], "))
      let unused = try run("--unused", "--root", "\(Fixture.sources)/PlantedUnused")
      #expect(unused.status == 0)
      #expect(unused.text.contains(": warning: neverNamed [singleton] is never resolved"))
      #expect(unused.text.hasSuffix("0 errors, 4 warnings\n"))
      let own = try run("--unused", "--allow-unused-public", "--root", "\(Fixture.sources)/PlantedUnused")
      #expect(!own.text.contains("onlyPublic") && own.text.hasSuffix("0 errors, 3 warnings\n"))
    }

    @Test("R34 what cannot be checked gives exit status 2 and says what to do")
    func failure() throws {
      let missing = try run("--store", "/no/store", "--root", Fixture.sources)
      #expect(missing.status == 2)
      #expect(missing.text.hasPrefix("error: There is no index store at /no/store. Build in debug mode"))
      let unknown = try run("--sound")
      #expect(unknown.status == 2)
      #expect(unknown.text.contains("--sound is not an option"))
      let noDirectory = try run("--root", "/no/package")
      #expect(noDirectory.status == 2)
      #expect(noDirectory.text == "error: There is no directory at /no/package.\n")
    }

    @Test(
      "R34 an option without its value is an error",
      arguments: ["--store", "--root", "--accept", "--graph", "--library"])
    func missingValue(option: String) throws {
      let last = try run("--root", Fixture.sources, option)
      #expect(last.status == 2)
      #expect(last.text == "error: \(option) needs a value.\n")
      let swallowing = try run(option, "--unused", "--root", Fixture.sources)
      #expect(swallowing.status == 2)
      #expect(swallowing.text == "error: \(option) needs a value before --unused.\n")
    }

    @Test("R34 --graph prints the graph in three forms, and a diagram stands alone")
    func graph() throws {
      let directory = "\(Fixture.sources)/PlantedUnused"
      let text = try run("--graph", "text", "--root", directory).text
      #expect(text.contains("\n  root [SingletonScope] PlantedUnused/Unused.swift:"))
      #expect(text.contains("\n    usedByRoot [SingletonScope] PlantedUnused/Unused.swift:"))
      let mermaid = try run("--graph", "mermaid", "--root", directory).text
      #expect(mermaid.hasPrefix("flowchart TD\n") && !mermaid.contains("warnings"))
      let dot = try run("--graph", "dot", "--root", directory).text
      #expect(dot.hasPrefix("digraph ") && !dot.contains("warnings"))
    }

    @Test("R34 --accept leaves a finding out")
    func accept() throws {
      let text = try run("--root", Fixture.sources, "--accept", "appThing keeps screenThing").text
      #expect(!text.contains("appThing [singleton] keeps"))
      #expect(text.contains("outerThing [SessionScope] keeps"))
    }
  }
#endif
