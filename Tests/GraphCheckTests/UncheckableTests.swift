#if DEBUG && (os(macOS) || os(Linux))
  import Foundation
  import GraphCheck
  import Testing

  /// Rule 34: a graph that cannot be checked is never sound.
  @Suite struct UncheckableTests {
    private static let captive = """
      import Peapod

      struct ScreenScope: ProviderScope {}
      let screen = Provider(scope: ScreenScope()) { _ in 1 }
      let app = Provider { pod in pod.resolve(screen) }
      print(Pod().resolve(app))
      """

    private func failure(_ reader: GraphReader) -> String? {
      do throws(CheckError) {
        _ = try reader.graph()
        return nil
      } catch {
        return error.description
      }
    }

    @Test("R34 a missing store, library, package or provider is an error that says what to do")
    func missing() throws {
      let store = try #require(StoreLocator.besideProgram)
      var reader = GraphReader(roots: [Fixture.sources])
      #expect(failure(reader)?.contains("There is no index store. Build in debug mode") == true)
      reader.stores = ["/no/store"]
      #expect(failure(reader)?.contains("There is no index store at /no/store. Build in debug mode") == true)
      reader.stores = [store]
      reader.library = "/no/libIndexStore.so"
      #expect(failure(reader)?.contains("/no/libIndexStore.so cannot be opened") == true)
      reader.library = nil
      for root in ["/no/package", "\(Fixture.sources)/PlantedEmpty/Empty.swift"] {
        reader.roots = [root]
        #expect(failure(reader) == "There is no directory at \(root).")
      }
      // The files use Peapod and declare no provider.
      reader.roots = ["\(Fixture.sources)/PlantedEmpty"]
      #expect(failure(reader)?.contains("No provider is declared below") == true)
      reader.roots = [Fixture.sources]
      #expect(failure(reader) == nil)
    }

    @Test("R34 a source that is newer than the store, or was added since, is an error")
    func stale() throws {
      let program = try CompiledProgram(["main.swift": Self.captive])
      defer { program.remove() }
      let graph = try program.reader.graph()
      #expect(try GraphChecker().findings(of: graph).map(\.subject) == ["app keeps screen"])
      let added = program.directory.appending(path: "Added.swift")
      try "import Peapod".write(to: added, atomically: true, encoding: .utf8)
      try FileManager.default.setAttributes([.modificationDate: Date.now + 60], ofItemAtPath: added.path)
      #expect(failure(program.reader)?.contains("Added.swift was added or changed after the index store") == true)
      try FileManager.default.removeItem(at: added)
      let main = program.directory.appending(path: "main.swift")
      try FileManager.default.setAttributes([.modificationDate: Date.now + 60], ofItemAtPath: main.path)
      #expect(failure(program.reader)?.contains("main.swift is newer than the index store. Build the package") == true)
      // The unit of a file that is gone is left out.
      try FileManager.default.removeItem(at: main)
      #expect(failure(program.reader)?.contains("is empty") == true)
    }

    @Test("R34 a file that the build leaves out may be newer than the store")
    func leftOut() throws {
      let former = "import Peapod\nlet former = Provider { _ in 1 }\n"
      let program = try CompiledProgram(["main.swift": Self.captive, "Former.swift": former])
      defer { program.remove() }
      #expect(try program.reader.graph().summary.hasPrefix("3 providers"))
      for name in ["Former.swift", "Package.swift"] {
        let path = program.directory.appending(path: name).path
        try former.write(toFile: path, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.modificationDate: Date.now + 60], ofItemAtPath: path)
      }
      #expect(failure(program.reader)?.contains("Former.swift is newer than the index store") == true)
      try program.recordBuild(of: ["main.swift"], at: .now)
      #expect(failure(program.reader)?.contains("Package.swift was added or changed after the index store") == true)
      try program.recordBuild(of: ["main.swift"], at: .now + 120)
      #expect(try program.reader.graph().summary.hasPrefix("2 providers"))
      // A file that was added before a release build is not in the list of the debug build.
      try program.recordBuild(of: ["main.swift", "Package.swift"], configuration: "release", at: .now + 120)
      #expect(failure(program.reader)?.contains("Package.swift was added or changed after the index store") == true)
      try program.recordBuild(of: ["main.swift"], configuration: "release", at: .now + 120)
      #expect(try program.reader.graph().summary.hasPrefix("2 providers"))
      try program.recordBuild(of: ["main.swift", "Package.swift"], at: .now + 120)
      #expect(failure(program.reader)?.contains("Package.swift was added or changed after the index store") == true)
    }

    @Test(
      "R34 a string, comment or regular expression without an end is an error at its place",
      arguments: ["/* /* */", "let text = \"\"\"\n", "let text = \"\\(1 + (2)", "let digits = #/\n"])
    func endless(text: String) throws {
      let program = try CompiledProgram(["main.swift": Self.captive])
      defer { program.remove() }
      let main = program.directory.appending(path: "main.swift")
      try (Self.captive + "\n" + text).write(to: main, atomically: true, encoding: .utf8)
      try FileManager.default.setAttributes([.modificationDate: Date.distantPast], ofItemAtPath: main.path)
      #expect(failure(program.reader)?.hasPrefix("\(main.path):7:") == true)
    }

    @Test("R34 a compiler whose forms are not recognized is an error")
    func unknownForms() throws {
      // A file in the place of the known one, whose graph is another.
      let program = try CompiledProgram(
        ["KnownForms.swift": Self.captive.replacing("print(Pod().resolve(app))", with: ""), "main.swift": ""],
        module: "GraphCheck")
      defer { program.remove() }
      let text = try #require(failure(program.reader))
      #expect(text.contains("does not understand"))
      #expect(text.contains("app: Provider [singleton] screen direct certain"))
    }

    @Test("R34 several stores are checked at once, each with its own configuration")
    func severalStores() throws {
      let text = Self.captive.replacing("ScreenScope())", with: "ScreenScope ())")
      let (first, second) = (
        try CompiledProgram(["main.swift": Self.captive]), try CompiledProgram(["main.swift": text])
      )
      defer { [first, second].forEach { $0.remove() } }
      var reader = first.reader
      reader.stores += second.reader.stores
      reader.roots += second.reader.roots
      #expect(try GraphChecker().findings(of: reader.graph()).map(\.subject) == ["app keeps screen"])
    }
  }
#endif
