import Foundation

/// A thread with a stack of 8 MB, as the first thread of a program has.
enum DeepStack {
  static let bytes = 8 << 20

  /// Whether a sanitizer watches, with which every call takes much more of the stack.
  static let isSanitized = dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil

  /// Runs a body on such a thread and returns what it returns.
  static func run<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await Worker(stackBytes: bytes, body).value()
  }
}
