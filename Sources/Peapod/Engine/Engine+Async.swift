/// Resolving asynchronous providers.
extension Engine {
  /// Resolves an asynchronous provider in the isolation of the caller.
  nonisolated(nonsending) static func asyncValue<Value: Sendable>(
    _ declaration: Declaration, in pod: Pod, outer: Override? = nil
  ) async throws -> Value {
    while true {
      // A task that was cancelled may read what is there; it begins nothing.
      let isCancelled = Task.isCancelled
      let (step, cached): (Step?, Value?) = attempt(declaration, in: pod, outer: outer, mayWait: !isCancelled)
      switch step {
      case nil: throw CancellationError()
      case .ready: return cached.unsafelyUnwrapped
      case .wait(let waiter):
        if let value: Value = try await wait(waiter) { return value }
      case .build(let build):
        // It keeps the pod itself.
        build.withPod { _ in }
        guard let waiter = build.firstWaiter else { return try await runHere(build) }
        start(build)
        Delay.step()
        if let value: Value = try await wait(waiter) { return value }
      case .cycle(let path):
        try stop(at: declaration, path)
      case .unowned(let scope, let pod):
        fatalError(Failure.unowned(declaration, scope, pod: pod))
      }
    }
  }

  /// Decides how a request goes on, and copies the value if it is there.
  private static func attempt<Value>(
    _ declaration: Declaration, in pod: Pod, outer: Override?, mayWait: Bool
  ) -> (Step?, Value?) {
    withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) { memory in
      let memory = memory.baseAddress.unsafelyUnwrapped
      let step = locked {
        plan(
          declaration, in: pod, below: ThreadContext.frame, outer: outer.map { .init($0) }, into: memory,
          mayWait: mayWait, &$0)
      }
      guard case .ready = step else { return (step, nil) }
      return (step, memory.move())
    }
  }

  /// Starts the task of a build.
  ///
  /// It has the task-local values and the priority of its first caller.
  private static func start(_ build: Build) {
    // The task may end the build before this is done with it.
    let object = build.object
    defer { withExtendedLifetime(object) {} }
    TaskContext.begin()
    // Asked for first: should the caller be raised after this, the task may have been made without that.
    let own = Task.currentPriority
    let task = TaskContext.$build.withValue(build.token) {
      Task {
        // Waiting for a thread is no part of what the build costs.
        build.start()
        Delay.step()
        do {
          let value = try await build.definition.storeAsync(build.declaration, in: build.pod)
          Delay.step()
          locked { finish(build, of: build.declaration, value, into: nil, &$0) }
        } catch {
          locked { fail(build, error, &$0) }
        }
        TaskContext.end()
      }
    }
    let (isAbandoned, wanted) = locked { _ in
      // Someone more urgent may have come before this.
      let wanted = build.priority ?? own
      build.task = task
      build.priority = max(own, wanted)
      return (build.isAbandoned, wanted)
    }
    if isAbandoned { task.cancel() } else if wanted > own { escalate(task, to: wanted) }
  }

  /// Waits for a build; returns `nil` if the request is to be made again.
  nonisolated(nonsending) private static func wait<Value>(_ waiter: Waiter) async throws -> Value? {
    raisePriority(of: waiter.build)
    await withTaskCancellationHandler {
      await withUnsafeContinuation { continuation in
        let isOver = locked { _ in
          guard case .waiting = waiter.state else { return true }
          waiter.wake = .task(continuation)
          return false
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      locked { cancel(waiter, &$0) }
    }
    return try withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) { memory in
      let memory = memory.baseAddress.unsafelyUnwrapped
      return try take(waiter, into: UnsafeMutableRawPointer(memory)) ? memory.move() : nil
    }
  }

  /// A waiter's task was cancelled: it goes at once, and the last one takes the build with it.
  private static func cancel(_ waiter: Waiter, _ aftermath: inout Aftermath) {
    guard case .waiting = waiter.state else { return }
    let build = waiter.build
    build.waiters.removeAll { $0 === waiter }
    dismiss(waiter, .cancelled, &aftermath)
    guard build.waiters.isEmpty, !build.hasEnded else { return }
    build.isAbandoned = true
    detach(build)
    if let task = build.task { aftermath.work.seldom.cancelled.append(task) }
  }

  /// Lets a build run at the priority of whoever waits for it, as far as the runtime allows.
  private static func raisePriority(of build: Build) {
    let priority = Task.currentPriority
    let tasks = locked { _ in
      // With a build, all that it waits for.
      var raised: [Task<Void, Never>] = []
      var seen: Set<Build> = [build]
      var rest = [build]
      while let build = rest.popLast() {
        for next in build.pending where seen.insert(next.build).inserted { rest.append(next.build) }
        guard (build.priority ?? .background) < priority else { continue }
        // One that has no task yet is told when it gets one.
        build.priority = priority
        if let task = build.task { raised.append(task) }
      }
      return raised
    }
    for task in tasks { escalate(task, to: priority) }
  }

  private static func escalate(_ task: Task<Void, Never>, to priority: TaskPriority) {
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
      task.escalatePriority(to: priority)
    } else {
      // Older runtimes raise a task when one of a higher priority awaits it.
      Task.detached(priority: priority) { await task.value }
    }
  }

  /// Runs a build that keeps nothing within the caller's own task.
  nonisolated(nonsending) static func runHere<Value: Sendable>(_ build: Build) async throws -> Value {
    let declaration = build.declaration
    let stored = try await runHere(build) {
      finishTransient(build, of: build.declaration, &$1)
      build.letGo(&$1)
      return $0
    }
    return withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) { memory in
      let memory = memory.baseAddress.unsafelyUnwrapped
      declaration.move(stored, to: UnsafeMutableRawPointer(memory))
      return memory.move()
    }
  }

  /// Runs a builder within the caller's own task, with that as the build that asks.
  static func runHere<Result>(
    isolation: isolated (any Actor)? = #isolation, _ build: Build,
    then finish: (StoredValue, inout Aftermath) -> Result
  ) async throws -> Result {
    TaskContext.begin()
    defer { TaskContext.end() }
    Delay.step()
    do {
      let value = try await TaskContext.$build.withValue(
        build.token, operation: { try await build.definition.storeAsync(build.declaration, in: build.pod) },
        isolation: isolation)
      return locked { finish(value, &$0) }
    } catch {
      locked { fail(build, error, &$0) }
      throw error
    }
  }
}
