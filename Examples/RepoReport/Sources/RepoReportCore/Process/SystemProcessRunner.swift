import Foundation

/// Runs programs of the operating system.
struct SystemProcessRunner: ProcessRunner {
  func locate(_ program: String) -> String? {
    let folders = ProcessInfo.processInfo.environment["PATH", default: ""].split(separator: ":")
    return folders.lazy.map { "\($0)/\(program)" }.first(where: isProgram)
  }

  func output(of command: Command) throws -> ProcessOutput {
    let process = try RunningProcess(command)
    return ProcessOutput { try await process.nextPiece() }
  }

  private func isProgram(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && !isFolder.boolValue
      && FileManager.default.isExecutableFile(atPath: path)
  }
}
