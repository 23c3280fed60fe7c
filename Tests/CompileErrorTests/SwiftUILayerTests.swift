#if os(Linux)
  import Foundation
  import Testing

  /// There is no SwiftUI on Linux, so PeapodUI and what uses it are type-checked against a stand-in for it.
  @Suite("PeapodUI where SwiftUI is", .timeLimit(.minutes(10)))
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

    @Test("the blocks of the article are programs", arguments: modes)
    func article(mode: LanguageMode) async throws {
      let layer = try await SwiftUILayer.shared.value
      let articles = SwiftUILayer.root.appending(path: "Sources/PeapodUI/PeapodUI.docc")
      let folder = layer.folder.appending(path: "articles-\(mode.rawValue)")
      try? FileManager.default.removeItem(at: folder)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      for name in try FileManager.default.contentsOfDirectory(atPath: articles.path) where name.hasSuffix(".md") {
        let text = try String(contentsOf: articles.appending(path: name), encoding: .utf8)
        let files = try Self.blocks(of: text).enumerated().map { index, block in
          let file = folder.appending(path: "\(name)-\(index).swift")
          try block.write(to: file, atomically: true, encoding: .utf8)
          return file.path
        }
        #expect(!files.isEmpty, "\(name) has no Swift")
        expectQuiet(try await layer.compile(files, mode, module: "Article"), in: mode)
      }
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

    private static func blocks(of page: String) -> [String] {
      page.components(separatedBy: "```").filter { $0.hasPrefix("swift\n") }.map {
        String($0.dropFirst("swift\n".count))
      }
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
