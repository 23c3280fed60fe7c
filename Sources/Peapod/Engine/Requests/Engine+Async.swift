extension Engine {
  /// Resolves an async provider in the isolation of the caller.
  nonisolated(nonsending) static func asyncValue<Value: Sendable>(
    _ declaration: Declaration, in pod: Pod, _ deferral: Deferral? = nil
  ) async throws -> Value {
    let known = deferral?.readSlot(of: declaration, in: pod)
    let value = if let known { known } else { try await asyncStoredValue(declaration, in: pod, deferral) }
    return value.take(isReference: declaration.isReference)
  }

  nonisolated(nonsending) static func asyncStoredValue(
    _ declaration: Declaration, in pod: Pod, _ deferral: Deferral? = nil
  ) async throws -> StoredValue {
    var changing: PodState?
    while true {
      // A canceled task may read cached instances and the value of a constant override; it begins nothing.
      let isCanceled = Task.isCancelled
      let request = Request(declaration, of: pod, deferral)
      switch request.answer(mayBuild: !isCanceled || request.needsNoBuild, changing: changing) {
      case .ready(_, let value): return value.unsafelyUnwrapped
      case .nothing: throw CancellationError()
      case .outdated: continue
      case .wait(let build):
        guard let waiter = try request.beginWait(for: build, blocksThread: false) else { continue }
        defer { request.endWait(waiter) }
        if let value = try await wait(waiter, request) { return value }
        changing = request.podChanging(dependenciesOf: build)
      case .build(let build):
        if build.use == .transient { return try await runHere(build) }
        let waiter = Waiter(for: build, request, blocksThread: false, isFirst: true)
        _ = WaitGraph.wait(waiter)
        start(build)
        Delay.step()
        defer { request.endWait(waiter) }
        if let value = try await wait(waiter, request) { return value }
      case .cycle(let path): try stop(at: declaration, path)
      }
    }
  }

  /// Starts the task of a build, with the task-local values of its first caller and the highest priority of the waiters.
  private static func start(_ build: Build) {
    TaskContext.beginAsyncBuild()
    TaskContext.$build.withValue(build) {
      WaitGraph.withLock {
        // With the lock held, so that other callers find the task with its priority. User code runs only in the task.
        build.priority = build.waiters.values.map(\.priority).max() ?? Task.currentPriority
        build.task = Task(priority: build.priority) {
          Delay.step()
          let result = await asyncResult(of: build)
          Delay.step()
          build.finish(result)
          TaskContext.endAsyncBuild()
        }
      }
    }
  }

  /// Waits for a build; returns `nil` if the request is to be made again.
  nonisolated(nonsending) private static func wait(
    _ waiter: Waiter, _ request: borrowing Request
  ) async throws -> StoredValue? {
    raisePriority(of: waiter.build)
    let outcome = await withTaskCancellationHandler {
      await waiter.suspend()
    } onCancel: {
      cancel(waiter)
    }
    return try request.take(outcome, by: waiter)
  }

  /// Ends the wait of a canceled task at once.
  private static func cancel(_ waiter: Waiter) {
    WaitGraph.endWaits([waiter], for: waiter.build, with: .canceled)
    // Also if the build has ended, and the waiter would receive the result only after the observers.
    waiter.end(.canceled)
  }

  /// Raises the priority of a build, and of all builds that it waits for, to that of the caller.
  private static func raisePriority(of build: Build) {
    let priority = Task.currentPriority
    // Fast path: an earlier caller, or the task of the build itself, has raised the others.
    if WaitGraph.withLock({ build.priority >= priority }) { return }
    let builds = WaitGraph.awaited(by: build)
    let raised = WaitGraph.withLock {
      builds.compactMap { build -> Task<Void, Never>? in
        guard !build.hasEnded, build.priority < priority else { return nil }
        build.priority = priority
        return build.task
      }
    }
    for task in raised { escalate(task, to: priority) }
  }

  private static func escalate(_ task: Task<Void, Never>, to priority: TaskPriority) {
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
      task.escalatePriority(to: priority)
    } else {
      // Older runtimes raise a task that a task of a higher priority awaits.
      Task.detached(priority: priority) { await task.value }
    }
  }

  /// Builds a fresh instance of an async provider in the task of the caller.
  nonisolated(nonsending) static func freshAsync<Value>(
    _ declaration: Declaration, in pod: Pod
  ) async throws -> (Instance, Value) {
    let build = try beginFresh(declaration, in: pod, nil)
    let stored = try await runHere(build)
    return (build.instance, stored.load(as: Value.self, isReference: declaration.isReference))
  }

  /// Runs the builder of an instance that is for the caller alone in the task of the caller, which is part of this build meanwhile.
  private static func runHere(
    isolation: isolated (any Actor)? = #isolation, _ build: Build
  ) async throws -> StoredValue {
    TaskContext.beginAsyncBuild()
    defer { TaskContext.endAsyncBuild() }
    Delay.step()
    let result = await TaskContext.$build.withValue(
      build, operation: { await asyncResult(of: build) }, isolation: isolation)
    return try build.end(result)!.value
  }

  private static func asyncResult(of build: Build) async -> Result<StoredValue, any Error> {
    do {
      guard let override = build.definition else {
        return .success(try await build.declaration.storeAsync(in: build.pod))
      }
      return .success(try await override.storeAsync(build.declaration, in: build.pod))
    } catch { return .failure(error) }
  }
}
