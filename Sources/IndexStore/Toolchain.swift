#if os(macOS)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

#if os(macOS) || os(Linux)
  /// The toolchain that `swift` on the search path belongs to.
  package enum Toolchain {
    /// The path of the toolchain's index library, or `nil` if there is none.
    package static var indexLibrary: String? {
      #if os(macOS)
        let name = "libIndexStore.dylib"
      #else
        let name = "libIndexStore.so"
      #endif
      let searchPath = getenv("PATH").map { String(cString: $0) } ?? ""
      for directory in searchPath.split(separator: ":") {
        // With links followed, `swift` itself is in usr/bin of a toolchain.
        guard let resolved = realpath("\(directory)/swift", nil) else { continue }
        defer { free(resolved) }
        let library = "\(String(cString: resolved).parentDirectory.parentDirectory)/lib/\(name)"
        if access(library, R_OK) == 0 { return library }
      }
      // A `swift` that only chooses a toolchain (xcrun, swiftly) names the toolchain: …/usr/lib/swift
      guard let pipe = popen("swift -print-target-info", "r") else { return nil }
      defer { pclose(pipe) }
      var answer: [UInt8] = []
      while case let byte = fgetc(pipe), byte != EOF { answer.append(UInt8(byte)) }
      let text = String(decoding: answer, as: UTF8.self)
      guard let key = text.firstRange(of: "\"runtimeResourcePath\": \"") else { return nil }
      let library = "\(String(text[key.upperBound...].prefix { $0 != "\"" }).parentDirectory)/\(name)"
      return access(library, R_OK) == 0 ? library : nil
    }
  }
#endif

extension String {
  /// The path without its last component.
  package var parentDirectory: String { lastIndex(of: "/").map { String(self[..<$0]) } ?? "." }
}
