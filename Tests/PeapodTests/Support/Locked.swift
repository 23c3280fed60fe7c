import Foundation

/// A value behind a lock that the thread sanitizer understands.
final class Locked<Value>: @unchecked Sendable {
  // Safe: `value` is read and written under `lock` alone.
  private var value: Value
  private let lock = NSLock()

  init(_ value: sending Value) {
    self.value = value
  }

  func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }
}
