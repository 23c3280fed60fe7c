import Foundation
import PeapodSystem

/// Runs programs of the operating system.
struct SystemProcessRunner: ProcessRunner {
  var environment = ProcessEnvironment.system

  func locate(_ program: String) -> String? {
    let folders = (environment["PATH"] ?? "").split(separator: ":")
    return folders.lazy.map { "\($0)/\(program)" }.first(where: isProgram)
  }

  func output(of command: Command) throws -> ProcessOutput {
    let process = try RunningProcess(command, environment: environment)
    return ProcessOutput { try await process.nextPiece() }
  }

  private func isProgram(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && !isFolder.boolValue
      && FileManager.default.isExecutableFile(atPath: path)
  }
}
