import Synchronization

/// The code that makes a request: a builder on this thread, an async builder in this task, or neither.
struct Caller {
  /// The innermost synchronous builder of this thread.
  let frame: UnsafeMutablePointer<Frame>?
  /// The build in which this code runs; where no build runs, the build that owns the resolving pod.
  private let own: Build?
  /// Whether the build itself makes the request, and so waits for the answer.
  private let waits: Bool
  /// Whether the instance of the build depends on the answer.
  private let records: Bool
  /// The build that depends on the answer.
  ///
  /// Another thread may make the request for this build, through the pod of the build.
  var recorder: Build? { records ? own : nil }
  /// The build that waits for the answer.
  ///
  /// This build is part of every cycle that the request closes.
  var build: Build? { waits ? own : nil }

  /// The caller that runs here.
  ///
  /// `pod`: the resolving pod. `isAwaited`: whether a task awaits the answer. A synchronous builder cannot, so the task is not part of it,
  /// although `Task.immediate` may have started the task on the thread of the builder.
  @inline(__always)
  init(resolvingIn pod: Pod, isAwaited: Bool = false) {
    frame = isAwaited ? nil : CurrentThread.frame
    let running = Caller.build(in: frame)
    waits = running != nil
    records = frame?.pointee.pod != nil || frame == nil
    own = running ?? pod.build
  }

  /// A caller for which nothing is recorded.
  init() { (frame, own, waits, records) = (nil, nil, false, false) }

  /// Runs an observer or a disposal closure, perhaps within a builder: the builder's instance does not depend on what the body resolves.
  static func withoutRecording(_ body: () -> Void) {
    let (parent, build) = (CurrentThread.frame, currentBuild)
    // A transient that is built without a record has a frame without a build.
    guard let declaration = build?.declaration ?? parent?.pointee.declaration.takeUnretainedValue() else {
      return body()
    }
    // The frame does not retain the build.
    defer { withExtendedLifetime(build) {} }
    var frame = Frame(above: parent, declaration, pod: nil, build: build)
    withUnsafeMutablePointer(to: &frame) { frame in
      CurrentThread.frame = frame
      defer { CurrentThread.frame = parent }
      // A task that the body starts is not part of the build.
      TaskContext.$build.withValue(nil, operation: body)
    }
  }

  /// The recorded build that the running code is part of.
  static var currentBuild: Build? { build(in: CurrentThread.frame) }

  /// A task that still runs after its build has ended is not part of the build.
  @inline(__always)
  private static func build(in frame: UnsafeMutablePointer<Frame>?) -> Build? {
    if let frame { return frame.pointee.build?.takeUnretainedValue() }
    guard let build = TaskContext.runningBuild, !build.hasEnded else { return nil }
    return build
  }

  /// The override beneath which a provider is resolved, if the builder of this override resolves its own provider.
  func outer(for declaration: Declaration) -> Override? {
    guard let recorder, recorder.declaration === declaration else { return nil }
    return recorder.definition
  }

  /// The graph-scoped instances of this top-level resolve, if a builder runs.
  var graph: GraphInstances? {
    guard var frame else { return build?.graphInstances }
    while let parent = frame.pointee.parent { frame = parent }
    if let build = frame.pointee.build?.takeUnretainedValue() { return build.graphInstances }
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
  @TaskLocal static var disposal: DisposalEnd?
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

/// Whether readers have to look at their thread and their task, where a builder may run.
enum InBuildFlag {
  private static let count = Atomic<Int>(0)

  @inline(__always)
  static var isRaised: Bool { count.load(ordering: .relaxed) != 0 }

  static func raise() { count.wrappingAdd(1, ordering: .relaxed) }
  static func lower() { count.wrappingSubtract(1, ordering: .relaxed) }

  /// Whether the running code is part of a recorded build.
  @inline(never)
  static var concernsCaller: Bool { Caller.currentBuild != nil }
}

/// Whether the asynchronous disposal closure that a task runs has ended.
final class DisposalEnd: Sendable {
  private let ended = Atomic<Bool>(false)
  var hasEnded: Bool { ended.load(ordering: .acquiring) }
  func end() { ended.store(true, ordering: .releasing) }
}
