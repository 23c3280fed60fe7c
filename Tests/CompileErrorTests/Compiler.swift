#if os(macOS) || os(Linux)
  import Foundation

  /// The Swift compiler of the toolchain that runs the tests, with the Peapod module that was built for them.
  struct Compiler: Sendable {
    var executable: URL
    var modules: URL

    /// What the compiler said of a program.
    struct Answer: Sendable {
      var status: Int32
      var output: String

      var isSuccess: Bool { status == 0 }
      var diagnostics: [Diagnostic] {
        output.split(separator: "\n").compactMap { Diagnostic(printed: $0) }
      }
    }

    /// How many compilers run at once.
    private static let permits = Permits(2)

    /// Compiles files as one module up to and including the checks that follow type checking, without any product.
    func compile(
      _ files: [String], _ mode: LanguageMode, wholeModule: Bool = true, module: String = "Program",
      arguments: [String] = []
    ) async throws -> Answer {
      try await Self.permits.withPermit {
        try await run(
          arguments + mode.arguments + [
            "-parse-as-library", "-module-name", module, "-diagnostic-style", "llvm", "-I", modules.path,
          ] + (wholeModule ? ["-whole-module-optimization", "-emit-sil", "-o", "program.sil"] : ["-typecheck"]) + files)
      }
    }

    func run(_ arguments: [String]) async throws -> Answer {
      // A folder of its own, since the compiler leaves temporary files behind.
      let folder = FileManager.default.temporaryDirectory.appending(path: "peapod-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      // A file, not a pipe: a process that another test starts meanwhile would hold a pipe open.
      let output = folder.appending(path: "output.txt")
      try Data().write(to: output)
      let handle = try FileHandle(forWritingTo: output)
      let process = Process()
      process.executableURL = executable
      // What is compiled goes there too.
      process.currentDirectoryURL = folder
      process.arguments = arguments
      process.environment = ProcessInfo.processInfo.environment.merging(["TMPDIR": folder.path]) { $1 }
      process.standardInput = FileHandle.nullDevice
      process.standardOutput = handle
      process.standardError = handle
      let status: Int32 = try await withCheckedThrowingContinuation { continuation in
        process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
        do { try process.run() } catch { continuation.resume(throwing: error) }
      }
      try handle.close()
      return Answer(status: status, output: try String(contentsOf: output, encoding: .utf8))
    }
  }

  // MARK: - Finding

  extension Compiler {
    struct NotFound: Error, CustomStringConvertible {
      var description: String
    }

    static func find() throws -> Compiler {
      try Compiler(executable: findExecutable(), modules: findModules())
    }

    /// The compiler that `SWIFTC` names, or beside the `swift` that runs the tests, or in the `PATH`.
    private static func findExecutable() throws -> URL {
      let environment = ProcessInfo.processInfo.environment
      if let named = environment["SWIFTC"] { return URL(filePath: named) }
      var folders = environment["PATH", default: ""].split(separator: ":").map { URL(filePath: String($0)) }
      if let parent = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(getppid())/exe") {
        folders.insert(URL(filePath: parent).deletingLastPathComponent(), at: 0)
      }
      let candidates = folders.map { $0.appending(path: "swiftc") }
      guard let found = candidates.first(where: { FileManager.default.isExecutableFile(atPath: $0.path) })
      else { throw NotFound(description: "no swiftc: set SWIFTC to its path") }
      return found
    }

    /// The folder of the build that holds the compiled interface of Peapod, near the running test bundle.
    private static func findModules() throws -> URL {
      var starts = [Bundle.main.executableURL].compactMap(\.self)
      if let option = CommandLine.arguments.firstIndex(of: "--test-bundle-path") {
        starts += CommandLine.arguments.dropFirst(option + 1).prefix(1).map { URL(filePath: $0) }
      }
      for start in starts {
        var folder = start.resolvingSymlinksInPath().deletingLastPathComponent()
        for _ in 0..<5 {
          for candidate in [folder.appending(path: "Modules"), folder] {
            let module = candidate.appending(path: "Peapod.swiftmodule")
            if FileManager.default.fileExists(atPath: module.path) { return candidate }
          }
          folder.deleteLastPathComponent()
        }
      }
      throw NotFound(description: "no Peapod.swiftmodule near \(starts.map(\.path))")
    }
  }

  /// Lets a few callers in at once.
  private actor Permits {
    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(_ count: Int) { free = count }

    nonisolated func withPermit<R: Sendable>(_ body: () async throws -> R) async rethrows -> R {
      await take()
      do {
        let result = try await body()
        await giveBack()
        return result
      } catch {
        await giveBack()
        throw error
      }
    }

    private func take() async {
      if free > 0 {
        free -= 1
      } else {
        await withCheckedContinuation { waiting.append($0) }
      }
    }

    private func giveBack() {
      if waiting.isEmpty {
        free += 1
      } else {
        waiting.removeFirst().resume()
      }
    }
  }
#endif
