import Foundation

/// The memory of this process that is in use now, in bytes; 0 where that cannot be asked.
func residentBytes() -> Int {
  #if os(Linux)
    guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return 0 }
    let fields = text.split(separator: " ")
    return fields.count > 1 ? (Int(fields[1]) ?? 0) * 4_096 : 0
  #else
    0
  #endif
}

/// Whether AddressSanitizer keeps freed memory aside, so that how much there is tells nothing.
let keepsFreedMemory = ProcessInfo.processInfo.environment["ASAN_OPTIONS"] != nil

/// Whether ThreadSanitizer keeps notes of what is used, so that a small growth of memory tells nothing.
let keepsNotesOfMemory = ProcessInfo.processInfo.environment["TSAN_OPTIONS"] != nil
