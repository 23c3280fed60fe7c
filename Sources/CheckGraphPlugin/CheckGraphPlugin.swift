import Foundation
import PackagePlugin

/// `swift package check-graph`: builds the package and checks its provider graph.
@main
struct CheckGraphPlugin: CommandPlugin {
  func performCommand(context: PluginContext, arguments: [String]) throws {
    var arguments = arguments
    // Stores of the caller replace the store of this build.
    if !arguments.contains("--store"), !arguments.contains("--help") {
      let build = try packageManager.build(
        .all(includingTests: true), parameters: .init(configuration: .debug, logging: .concise))
      guard build.succeeded else {
        print(build.logText)
        throw Failure(description: "The package does not build, so its graph was not checked.")
      }
      guard let store = indexStore(of: build, context) else {
        throw Failure(
          description: "The build wrote no index store, so the graph was not checked. Build with --enable-index-store.")
      }
      arguments += ["--store", store.path]
    }
    if !arguments.contains("--root") { arguments += ["--root", context.package.directoryURL.path] }
    if !arguments.contains("--library"), let library = indexLibrary(context) {
      arguments += ["--library", library.path]
    }
    let process = Process()
    process.executableURL = try context.tool(named: "check-graph").url
    process.arguments = arguments
    // SwiftPM prints both streams of a plugin to standard output, so the findings beside a diagram become diagnostics.
    let findings = isDiagram(arguments) ? Pipe() : nil
    if let findings { process.standardError = findings }
    try process.run()
    if let data = try findings?.fileHandleForReading.readToEnd() {
      for line in String(decoding: data, as: UTF8.self).split(separator: "\n") { emit(line) }
    }
    process.waitUntilExit()
    // SwiftPM turns each failure of a plugin into status 1. The findings are printed already.
    if process.terminationStatus != 0 { exit(process.terminationStatus) }
  }

  /// Whether the tool prints a diagram to standard output, and its findings to standard error.
  private func isDiagram(_ arguments: [String]) -> Bool {
    zip(arguments, arguments.dropFirst()).contains { $0 == "--graph" && ["mermaid", "dot"].contains($1) }
  }

  /// Emits a line of the tool's standard error as a diagnostic, which SwiftPM prints to standard error.
  private func emit(_ line: Substring) {
    guard let severity = line.firstMatch(of: #/\b(error|warning): /#) else { return Diagnostics.remark("\(line)") }
    let text = line[..<severity.range.lowerBound] + line[severity.range.upperBound...]
    Diagnostics.emit(severity.1 == "error" ? .error : .warning, "\(text)")
  }

  /// The store beside the built products, or in the directory of the plugin's scratch files.
  private func indexStore(of build: PackageManager.BuildResult, _ context: PluginContext) -> URL? {
    for start in build.builtArtifacts.map(\.url) + [context.pluginWorkDirectoryURL] {
      var directory = start
      while directory.path != "/" {
        directory.deleteLastPathComponent()
        for place in ["index/store", "debug/index/store", "", "out"] {
          let store = directory.appending(path: place)
          if FileManager.default.fileExists(atPath: store.appending(path: "v5/units").path) { return store }
        }
      }
    }
    return nil
  }

  /// The index library of the toolchain that runs the plugin.
  private func indexLibrary(_ context: PluginContext) -> URL? {
    guard let swift = try? context.tool(named: "swift").url else { return nil }
    let usr = swift.resolvingSymlinksInPath().deletingLastPathComponent().deletingLastPathComponent()
    return ["lib/libIndexStore.so", "lib/libIndexStore.dylib"].map { usr.appending(path: $0) }
      .first { FileManager.default.fileExists(atPath: $0.path) }
  }
}

/// A reason why the graph was not checked.
private struct Failure: Error, CustomStringConvertible {
  let description: String
}
