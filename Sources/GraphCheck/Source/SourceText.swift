import IndexStore

#if os(macOS)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The source files, read once each.
final class SourceText {
  private var files: [String: SourceFile] = [:]

  func file(_ path: String) -> SourceFile {
    if let known = files[path] { return known }
    let file = SourceFile(bytes: Self.read(path))
    files[path] = file
    return file
  }

  /// Checks that no file that was read ends inside a string, a comment or a regular expression.
  func check() throws(CheckError) {
    for (path, file) in files.sorted(by: { $0.key < $1.key }) {
      guard let position = file.unterminated else { continue }
      throw CheckError(
        """
        \(path):\(position): check-graph finds no end of the string, comment or regular expression that begins here, so no \
        finding can be trusted. If the file compiles, report this line as an issue.
        """)
    }
  }

  static func read(_ path: String) -> [UInt8] {
    var bytes: [UInt8] = []
    #if os(macOS) || os(Linux)
      guard let file = fopen(path, "r") else { return [] }
      defer { fclose(file) }
      var buffer = [UInt8](repeating: 0, count: 65536)
      while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { bytes += buffer[..<count] }
    #endif
    return bytes
  }
}
