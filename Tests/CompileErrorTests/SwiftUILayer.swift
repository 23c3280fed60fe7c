#if os(Linux)
  import Foundation
  import Testing

  /// PeapodUI as it is where SwiftUI is: compiled against a stand-in for SwiftUI, with what it takes to use it.
  struct SwiftUILayer: Sendable {
    let compiler: Compiler
    /// The folder of the modules.
    let folder: URL

    /// The layer as it is shipped, with the modules that it needs, made once.
    static let shared = Task { try await SwiftUILayer() }

    private init() async throws {
      compiler = try Compiler.find()
      // In the folder of the build, so that nothing is left behind.
      folder = compiler.modules.deletingLastPathComponent().appending(path: "SwiftUIStandIn")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let macro = try await compiler.run(
        ["-parse-as-library", "-o", plugin] + Self.files(in: "Tests/CompileErrorTests/SwiftUI/PreviewMacro"))
      try #require(macro.isSuccess, "the macro does not compile:\n\(macro.output)")
      let stub = try await compile(
        Self.files(in: "Tests/CompileErrorTests/SwiftUI/Stub"), .swift6, module: "SwiftUI", isKept: true)
      try #require(stub.isSuccess, "the stand-in does not compile:\n\(stub.output)")
      let layer = try await compile(Self.sources, .swift6, module: "PeapodUI", isKept: true)
      try #require(layer.isSuccess, "the layer does not compile:\n\(layer.output)")
    }

    private var plugin: String { folder.appending(path: "PreviewMacro").path }

    /// Compiles files that may import SwiftUI, PeapodUI and whatever was kept before.
    func compile(
      _ files: [String], _ mode: LanguageMode, module: String, package: String = "peapod", isKept: Bool = false
    ) async throws -> Compiler.Answer {
      var arguments = ["-I", folder.path, "-package-name", package]
      arguments += ["-load-plugin-executable", "\(plugin)#PreviewsMacros"]
      if isKept {
        let product = folder.appending(path: "\(module).swiftmodule").path
        arguments += ["-emit-module", "-emit-module-path", product]
      }
      return try await compiler.compile(files, mode, module: module, arguments: arguments)
    }
  }

  // MARK: - Finding

  extension SwiftUILayer {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()

    /// The files of one kind below a folder of the repository.
    static func files(in folder: String, suffix: String = ".swift") throws -> [String] {
      let url = root.appending(path: folder)
      return try FileManager.default.subpathsOfDirectory(atPath: url.path).sorted()
        .filter { $0.hasSuffix(suffix) }.map { url.appending(path: $0).path }
    }

    static var sources: [String] {
      get throws { try files(in: "Sources/PeapodUI") }
    }
  }
#endif
