#if os(Linux)
  import Foundation
  import Testing

  /// There is no SwiftUI on Linux, so PeapodUI and what uses it are type-checked against a stand-in for it.
  @Suite("PeapodUI where SwiftUI is", .timeLimit(.minutes(20)))
  struct SwiftUILayerTests {
    private static let modes: [LanguageMode] = [
      .swift5, .swift6, .swift5MainActor, .swift6MainActor, .swift6Approachable,
    ]

    @Test("the layer type-checks", arguments: modes)
    func layer(mode: LanguageMode) async throws {
      let answer = try await SwiftUILayer.shared.value.compile(SwiftUILayer.sources, mode, module: "PeapodUI")
      expectQuiet(answer, in: mode)
    }

    @Test("right programs compile without a warning", arguments: try Program.all(in: "SwiftUI/MustCompile"))
    func right(program: Program) async throws {
      #expect(!program.modes.isEmpty && program.marked.isEmpty && program.expected.isEmpty)
      try await check(program)
    }

    @Test("wrong programs are refused where they are wrong", arguments: try Program.all(in: "SwiftUI/MustNotCompile"))
    func wrong(program: Program) async throws {
      #expect(!program.modes.isEmpty && !program.marked.isEmpty && !program.expected.isEmpty)
      try await check(program)
    }

    @Test("the views and previews of the Movies example type-check", arguments: modes)
    func movies(mode: LanguageMode) async throws {
      let layer = try await SwiftUILayer.shared.value
      try await Self.moviesCore.value
      let views = try SwiftUILayer.files(in: "Examples/Movies/Sources/MoviesUI")
      #expect(!views.isEmpty)
      expectQuiet(try await layer.compile(views, mode, module: "MoviesUI", package: "movies"), in: mode)
    }

    @Test("the SwiftUI blocks of the pages are programs", arguments: modes)
    func pages(mode: LanguageMode) async throws {
      let layer = try await SwiftUILayer.shared.value
      let folder = layer.folder.appending(path: "pages-\(mode.rawValue)")
      try? FileManager.default.removeItem(at: folder)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let pages = ["README.md"] + (try SwiftUILayer.files(in: "Sources/Peapod/Peapod.docc", suffix: ".md"))
      var programs = 0
      for page in pages {
        let file = page.hasPrefix("/") ? URL(filePath: page) : SwiftUILayer.root.appending(path: page)
        let blocks = Self.blocks(of: try String(contentsOf: file, encoding: .utf8))
        if blocks.isEmpty { continue }
        programs += 1
        let files = try blocks.enumerated().map { index, block in
          let part = folder.appending(path: "\(file.lastPathComponent)-\(index).swift")
          try block.write(to: part, atomically: true, encoding: .utf8)
          return part.path
        }
        expectQuiet(try await layer.compile(files, mode, module: "Page"), in: mode)
      }
      #expect(programs >= 3)
    }

    /// The module of the example's core, which is built and tested as a package of its own.
    private static let moviesCore = Task {
      // What the package manager writes for a target with resources.
      let accessor = try await SwiftUILayer.shared.value.folder.appending(path: "ResourceAccessor.swift")
      try "import Foundation\nextension Foundation.Bundle { static var module: Bundle { .main } }\n"
        .write(to: accessor, atomically: true, encoding: .utf8)
      let files = try SwiftUILayer.files(in: "Examples/Movies/Sources/MoviesCore") + [accessor.path]
      let answer = try await SwiftUILayer.shared.value.compile(
        files, .swift6, module: "MoviesCore", package: "movies", isKept: true)
      try #require(answer.isSuccess, "the core of Movies does not compile:\n\(answer.output)")
    }

    /// The blocks after `<!-- SwiftUI -->`, with the source files that the page shows; none if there is no such block.
    private static func blocks(of page: String) -> [String] {
      var blocks: [String] = []
      var hasSwiftUI = false
      var lead = ""
      var open: [Substring]?
      for line in page.split(separator: "\n", omittingEmptySubsequences: false) {
        if let lines = open {
          open = line.hasPrefix("```") ? nil : lines + [line]
          if open == nil {
            if !lead.isEmpty { blocks.append(lines.joined(separator: "\n")) }
            lead = ""
          }
        } else if line.hasPrefix("```") {
          let isPart = lead == "<!-- SwiftUI -->" || lead.hasPrefix("**`Sources/")
          hasSwiftUI = hasSwiftUI || lead == "<!-- SwiftUI -->"
          if !isPart { lead = "" }
          open = []
        } else if !line.isEmpty {
          lead = String(line)
        }
      }
      return hasSwiftUI ? blocks : []
    }

    private func check(_ program: Program) async throws {
      let layer = try await SwiftUILayer.shared.value
      for mode in program.modes {
        let answer = try await layer.compile(program.files, mode, module: "Program")
        let objections = program.objections(to: answer)
        #expect(
          objections.isEmpty,
          "\(program.name) in mode \(mode.rawValue):\n\(objections.joined(separator: "\n"))\n\n\(answer.output)")
      }
    }

    private func expectQuiet(
      _ answer: Compiler.Answer, in mode: LanguageMode, sourceLocation: SourceLocation = #_sourceLocation
    ) {
      #expect(
        answer.isSuccess && answer.diagnostics.isEmpty, "mode \(mode.rawValue):\n\(answer.output)",
        sourceLocation: sourceLocation)
    }
  }
#endif
