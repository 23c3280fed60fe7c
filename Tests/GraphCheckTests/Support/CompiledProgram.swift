#if os(macOS) || os(Linux)
  import Foundation
  import GraphCheck

  /// A program of one module that uses Peapod, compiled into a directory and an index store of its own.
  struct CompiledProgram {
    struct Failure: Error, CustomStringConvertible {
      let description: String
    }

    let directory: URL
    /// The directory of the products and the store, as SwiftPM lays it out.
    private var products: URL { directory.appending(path: ".build/triple/debug") }
    var store: String { products.appending(path: "index/store").path }
    private var executable: URL { directory.appending(path: "program") }

    /// Compiles files and links them with the library of this build.
    init(_ files: [String: String], module: String = "Program") throws {
      directory = FileManager.default.temporaryDirectory.appending(path: "peapod-graph-\(UUID().uuidString)")
        .resolvingSymlinksInPath()
      try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
      for (name, text) in files {
        try text.write(to: directory.appending(path: name), atomically: true, encoding: .utf8)
      }
      // …/debug/index/store
      guard let store = StoreLocator.besideProgram else { throw Failure(description: "there is no index store") }
      let build = URL(filePath: store).deletingLastPathComponent().deletingLastPathComponent()
      let objects = try FileManager.default.contentsOfDirectory(
        at: build.appending(path: "Peapod.build"), includingPropertiesForKeys: nil
      ).filter { $0.pathExtension == "o" }.map(\.path)
      let sources = files.keys.sorted().map { directory.appending(path: $0).path }
      let output = try Self.run(
        URL(filePath: "/usr/bin/env"),
        ["swiftc", "-module-name", module, "-swift-version", "6", "-I", build.appending(path: "Modules").path]
          + ["-index-store-path", self.store, "-index-ignore-system-modules", "-o", executable.path] + sources + objects
      )
      guard output.status == 0 else { throw Failure(description: output.text) }
    }

    /// Runs the program and returns the lines that it prints.
    func lines() throws -> [String] {
      let output = try Self.run(executable, [])
      guard output.status == 0 else { throw Failure(description: output.text) }
      return output.text.split(separator: "\n").map(String.init)
    }

    /// The reader of the program's providers.
    var reader: GraphReader {
      var reader = GraphReader(roots: [directory.path])
      reader.stores = [store]
      return reader
    }

    /// Writes what SwiftPM writes in a build: the list of the module's sources, and the database of builds.
    func recordBuild(of files: [String], configuration: String? = nil, at time: Date) throws {
      let products = configuration.map { self.products.deletingLastPathComponent().appending(path: $0) } ?? products
      let folder = products.appending(path: "Program.build")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let entries = files.map { "  \"\(directory.appending(path: $0).path)\": {\n    \"object\": \"main.o\"\n  }" }
      try "{\n\(entries.joined(separator: ",\n"))\n}\n".write(
        to: folder.appending(path: "output-file-map.json"), atomically: true, encoding: .utf8)
      let database = directory.appending(path: ".build/build.db")
      try Data().write(to: database)
      try FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: database.path)
    }

    func remove() { try? FileManager.default.removeItem(at: directory) }

    /// Runs a program and returns its status and standard output; what it says on standard error is added if it fails.
    static func run(_ executable: URL, _ arguments: [String]) throws -> (status: Int32, text: String) {
      let folder = FileManager.default.temporaryDirectory.appending(path: "peapod-run-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      // Files, not pipes: another test's process would hold a pipe open.
      let (output, errors) = (folder.appending(path: "output"), folder.appending(path: "errors"))
      try Data().write(to: output)
      try Data().write(to: errors)
      let process = Process()
      process.executableURL = executable
      process.arguments = arguments
      process.standardInput = FileHandle.nullDevice
      process.standardOutput = try FileHandle(forWritingTo: output)
      process.standardError = try FileHandle(forWritingTo: errors)
      try process.run()
      process.waitUntilExit()
      let status = process.terminationStatus
      let text = try String(contentsOf: output, encoding: .utf8)
      return (status, status == 0 ? text : text + (try String(contentsOf: errors, encoding: .utf8)))
    }
  }
#endif
