import Synchronization

/// Who makes a request: a builder of this thread, an async builder of this task, or neither.
struct Caller {
  /// The innermost synchronous builder of this thread.
  let frame: UnsafeMutablePointer<Frame>?
  /// The build that waits for the answer.
  ///
  /// It is part of every cycle that the request closes.
  let build: Build?
  /// The build that depends on the answer.
  ///
  /// It may let another thread make the request through its pod.
  var recorder: Build? { build ?? podBuild }
  /// The build that gave its builder the pod that is asked, if no other build asks.
  private let podBuild: Build?

  /// The caller that runs here.
  ///
  /// `pod`: the pod that is asked.
  @inline(__always)
  init(asking pod: Pod) {
    isNobody = false
    frame = CurrentThread.frame
    let own: Build?
    if let frame {
      own = frame.pointee.build?.takeUnretainedValue()
    } else {
      own = TaskContext.runningBuild
    }
    // A task that a builder left behind is no part of its build.
    build = own.flatMap { $0.hasEnded ? nil : $0 }
    podBuild = build == nil ? pod.build : nil
  }

  /// A caller for which nothing is recorded.
  static var nobody: Caller { Caller() }

  let isNobody: Bool

  private init() {
    isNobody = true
    frame = nil
    build = nil
    podBuild = nil
  }

  /// The recorded build that the running code is part of.
  static var currentBuild: Build? {
    if let frame = CurrentThread.frame { return frame.pointee.build?.takeUnretainedValue() }
    return TaskContext.runningBuild.flatMap { $0.hasEnded ? nil : $0 }
  }

  /// The override beneath which a provider is resolved, if the builder of that very override asks.
  func outer(for declaration: Declaration) -> Override? {
    if let frame {
      return frame.isOf(declaration) ? frame.pointee.definition?.takeUnretainedValue() : nil
    }
    guard let recorder, recorder.declaration === declaration else { return nil }
    return recorder.definition
  }

  /// The graph-scoped instances of this top-level resolve, if a builder runs.
  var graph: GraphInstances? {
    guard let frame = frame?.outermost else { return build?.outermost.graphInstances }
    if let build = frame.pointee.build?.takeUnretainedValue() { return build.outermost.graphInstances }
    if let known = frame.pointee.graph { return known }
    let made = GraphInstances()
    frame.pointee.graph = made
    return made
  }
}

/// The values that a task and its child tasks have in common.
enum TaskContext {
  /// The async build that this task is part of.
  @TaskLocal static var build: Build?
  /// The innermost override scope.
  @TaskLocal static var overrideScope: OverrideScope?
  /// The disposal closure that this task is part of.
  @TaskLocal static var disposal: RunningDisposal?
  /// The origins of the errors that a request of `prepare` receives.
  @TaskLocal static var errorOrigins: ErrorOrigins?

  /// How many async builds run in the process: while there are none, the task-local value need not be read.
  private static let asyncBuilds = Atomic<Int>(0)

  static func beginAsyncBuild() {
    asyncBuilds.wrappingAdd(1, ordering: .relaxed)
    InBuildFlag.raise()
  }

  static func endAsyncBuild() {
    asyncBuilds.wrappingSubtract(1, ordering: .relaxed)
    InBuildFlag.lower()
  }

  /// The async build that the running task is part of.
  @inline(__always)
  static var runningBuild: Build? {
    asyncBuilds.load(ordering: .relaxed) == 0 ? nil : taskBuild
  }

  @inline(never)
  private static var taskBuild: Build? { build }

  /// Whether the running code is part of an asynchronous disposal closure.
  static var isInDisposal: Bool { disposal.map { !$0.hasEnded } ?? false }
}

/// Whether readers have to look at their thread and their task, since a builder or an override scope may be there.
enum InBuildFlag {
  private static let count = Atomic<Int>(0)

  @inline(__always)
  static var isRaised: Bool { count.load(ordering: .relaxed) != 0 }

  static func raise() { count.wrappingAdd(1, ordering: .relaxed) }
  static func lower() { count.wrappingSubtract(1, ordering: .relaxed) }

  /// Whether the running code is part of a recorded build.
  @inline(never)
  static var concernsCaller: Bool {
    if let frame = CurrentThread.frame { return frame.pointee.build != nil }
    return TaskContext.runningBuild.map { !$0.hasEnded } ?? false
  }
}

/// An asynchronous disposal closure as the task that runs it sees it.
final class RunningDisposal: Sendable {
  private let ended = Atomic<Bool>(false)
  var hasEnded: Bool { ended.load(ordering: .acquiring) }
  func end() { ended.store(true, ordering: .releasing) }
}
