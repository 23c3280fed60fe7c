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

  private static func read(_ path: String) -> [UInt8] {
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
