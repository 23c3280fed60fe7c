import Foundation
import Testing

/// Starts a task and returns when it has run up to its first suspension.
///
/// The task and its starter share the main actor, so that what the body does up to there is one step.
@MainActor
func begin<Result: Sendable>(
  priority: TaskPriority? = nil, _ body: @escaping @MainActor @Sendable () async throws -> Result
) async -> Task<Result, any Error> {
  let begun = Counter()
  let task = Task(priority: priority) { @MainActor in
    begun.increment()
    return try await body()
  }
  await eventually("a task begins") { begun.value == 1 }
  return task
}

/// The size of a long test: all of it when optimised or when `PEAPOD_FULL` is set, a tenth of it otherwise.
func rounds(_ full: Int) -> Int {
  #if DEBUG
    ProcessInfo.processInfo.environment["PEAPOD_FULL"] == nil ? max(1, full / 10) : full
  #else
    full
  #endif
}
