/// Something that another task has begun and that goes on until it is told to end.
struct Background: Sendable {
  private let gate: AsyncStream<Void>.Continuation
  private let task: Task<Void, Never>

  /// Starts an operation in a task of its own and returns when the operation waits in the closure that it receives.
  init(_ operation: @escaping @Sendable (_ wait: @escaping @Sendable () async -> Void) async -> Void) async {
    let (entered, entering) = AsyncStream.makeStream(of: Void.self)
    let (ended, ending) = AsyncStream.makeStream(of: Void.self)
    gate = ending
    task = .detached {
      await operation {
        entering.finish()
        for await _ in ended {}
      }
    }
    for await _ in entered {}
  }

  /// Lets the operation continue and waits for its end.
  func finish() async {
    gate.finish()
    await task.value
  }
}
