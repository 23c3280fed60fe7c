import Synchronization

/// The code that makes a request: a builder on this thread, an async builder in this task, or neither.
struct Caller {
  /// The innermost synchronous builder of this thread.
  let frame: UnsafeMutablePointer<Frame>?
  /// The build that waits for the answer.
  ///
  /// This build is part of every cycle that the request closes.
  let build: Build?
  /// The build that depends on the answer.
  ///
  /// Another thread may make the request for this build, through the pod of the build.
  var recorder: Build? { build ?? podBuild }
  /// The build whose builder received the resolving pod, if no other build makes the request.
  private let podBuild: Build?

  /// The caller that runs here.
  ///
  /// `pod`: the resolving pod.
  @inline(__always)
  init(resolvingIn pod: Pod) {
    isUnrecorded = false
    frame = CurrentThread.frame
    let own: Build?
    if let frame {
      own = frame.pointee.build?.takeUnretainedValue()
    } else {
      own = TaskContext.runningBuild
    }
    // A task that still runs after its build has ended is not part of the build.
    build = own.flatMap { $0.hasEnded ? nil : $0 }
    podBuild = build == nil ? pod.build : nil
  }

  /// A caller for which nothing is recorded.
  static var unrecorded: Caller { Caller() }

  let isUnrecorded: Bool

  private init() {
    isUnrecorded = true
    frame = nil
    build = nil
    podBuild = nil
  }

  /// The recorded build that the running code is part of.
  static var currentBuild: Build? {
    if let frame = CurrentThread.frame { return frame.pointee.build?.takeUnretainedValue() }
    return TaskContext.runningBuild.flatMap { $0.hasEnded ? nil : $0 }
  }

  /// The override beneath which a provider is resolved, if the builder of this override resolves its own provider.
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

  /// How many async builds run in the process; at zero, the task-local value need not be read.
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

/// Whether readers have to look at their thread and their task, where a builder or an override scope may run.
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

/// Whether the asynchronous disposal closure that a task runs has ended.
final class RunningDisposal: Sendable {
  private let ended = Atomic<Bool>(false)
  var hasEnded: Bool { ended.load(ordering: .acquiring) }
  func end() { ended.store(true, ordering: .releasing) }
}
