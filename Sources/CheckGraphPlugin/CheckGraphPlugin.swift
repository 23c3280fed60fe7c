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
    try process.run()
    process.waitUntilExit()
    // A plugin's own errors give status 1. The findings are printed already.
    if process.terminationStatus != 0 { exit(process.terminationStatus) }
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
