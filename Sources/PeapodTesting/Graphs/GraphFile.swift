#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#elseif canImport(WASILibc)
  import WASILibc
#elseif os(Windows)
  import ucrt
#endif

/// The text file of an expected graph, read and written with the C library.
struct GraphFile {
  /// The reason why a file was not read or written.
  struct Failure: Error {
    let path: String
    let action: String
    let reason: String
  }

  private let directory: String
  let path: String

  init(name: String, beside sourcePath: String) {
    let isSeparator: (Character) -> Bool = { $0 == "/" || $0 == "\\" }
    let parent = sourcePath.lastIndex(where: isSeparator).map { sourcePath[...$0] } ?? ""
    directory = parent + "Graphs"
    path = "\(directory)/\(name).txt"
  }

  /// Whether the environment variable for writing graphs is set.
  static var isRecording: Bool {
    guard let value = getenv("PEAPOD_RECORD_GRAPHS") else { return false }
    return !["", "0"].contains(String(cString: value))
  }

  /// Returns the text of the file, or `nil` if there is no file.
  func read() throws(Failure) -> String? {
    guard let file = fopen(path, "rb") else {
      if errno == ENOENT { return nil }
      throw failure(to: "read")
    }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = fread(&chunk, 1, chunk.count, file)
      if count == 0 { break }
      bytes.append(contentsOf: chunk[..<count])
    }
    if ferror(file) != 0 { throw failure(to: "read") }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Writes the file, and makes its folder if there is none.
  func write(_ text: String) throws(Failure) {
    #if os(Windows)
      _ = _mkdir(directory)
    #else
      _ = mkdir(directory, 0o777)
    #endif
    guard let file = fopen(path, "wb") else { throw failure(to: "written") }
    let bytes = Array(text.utf8)
    let count = fwrite(bytes, 1, bytes.count, file)
    guard fclose(file) == 0, count == bytes.count else { throw failure(to: "written") }
  }

  private func failure(to action: String) -> Failure {
    Failure(path: path, action: action, reason: String(cString: strerror(errno)))
  }
}
