import Synchronization

/// Who asks for a provider: a builder on this thread, a builder of this task or of one above it, or nobody.
struct Asker {
  /// The innermost synchronous builder of this thread.
  let frame: UnsafeMutablePointer<Frame>?
  /// Kept by the builder's frame, or by the task.
  private let asking: Build?
  /// The override whose builder asks for the very provider that it overrides.
  let outer: Override.Pointer?
  /// Where no builder is known to ask: the one whose own pod is asked, on another thread or in a detached task.
  ///
  /// It need not wait for the answer, so that nothing is a cycle for it.
  private var elsewhere: Build?

  /// Whoever asks here and now.
  ///
  /// `frame`: that of the running thread.
  static func current(
    for declaration: Declaration, below frame: UnsafeMutablePointer<Frame>? = ThreadContext.frame
  ) -> Asker {
    if let frame {
      return Asker(outer: frame.override(of: declaration), frame: frame, build: frame.pointee.build)
    }
    let build = TaskContext.runningBuild
    return Asker(outer: build?.override(of: declaration), frame: nil, build: build)
  }

  /// The build that the running code is part of.
  static var runningBuild: Build? {
    if let frame = ThreadContext.frame { return frame.pointee.build }
    return TaskContext.runningBuild
  }

  /// A handle asks: it was made by an override's builder, or by any other code.
  init(outer: Override.Pointer?, frame: UnsafeMutablePointer<Frame>?, build: Build?) {
    self.outer = outer
    self.frame = frame
    asking = build
  }

  /// The build to which what is asked for belongs, as long as it is under way.
  var build: Build? {
    guard let asking, !asking.hasEnded else { return nil }
    return asking
  }

  /// The build that is recorded to be built from what is asked for.
  var recorder: Build? { build ?? elsewhere }

  /// The same request, made of a pod that a builder was given.
  ///
  /// Called with the engine's lock held.
  func asking(_ pod: Pod, for declaration: Declaration) -> Asker {
    guard let owner = pod.build, build == nil else { return self }
    var asker = with(owner.override(of: declaration))
    asker.elsewhere = owner
    return asker
  }

  /// The same request, made with a handle that an override's builder may have made.
  func with(_ handleOuter: Override.Pointer?) -> Asker {
    guard let handleOuter, outer == nil else { return self }
    return Asker(outer: handleOuter, frame: frame, build: asking)
  }
}

/// What graph-scoped providers gave within the outermost resolve of a request, with the engine's lock held.
extension Asker {
  var graphEntries: [Entry] {
    if let bottom = frame?.bottom, bottom.pointee.build == nil { return Array(bottom.pointee.graphEntries) }
    return build?.outermost.graphEntries ?? []
  }

  @inline(never)
  func addGraphEntry(_ entry: Entry, of graphScoped: Build) {
    entry.hold()
    if let bottom = frame?.bottom, bottom.pointee.build == nil {
      bottom.pointee.graphEntries.append(entry)
    } else {
      (build?.outermost ?? graphScoped).graphEntries.append(entry)
    }
  }
}

/// What goes with a task: the asynchronous build or the hook that it is part of, and the pods that stand in for others.
enum TaskContext {
  @TaskLocal static var build: RunningBuild?
  @TaskLocal static var substitutes: Substitutes?
  @TaskLocal static var hook: RunningHook?

  /// Whether the running code is part of an asynchronous hook.
  static var isInHook: Bool { hook.map { !$0.hasEnded } ?? false }

  /// How many builds and substitutes there are: where there are none, task-local values need not be looked at.
  private static let activity = Atomic<Int>(0)

  @inline(__always)
  static var isActive: Bool { activity.load(ordering: .relaxed) != 0 }

  static func begin() {
    activity.wrappingAdd(1, ordering: .relaxed)
    Attention.begin()
  }

  static func end() {
    activity.wrappingSubtract(1, ordering: .relaxed)
    Attention.end()
  }

  /// The asynchronous build that the running task is part of.
  @inline(__always)
  static var runningBuild: Build? { isActive ? ownBuild : nil }

  @inline(never)
  private static var ownBuild: Build? {
    guard let build, !build.hasEnded else { return nil }
    return build.build
  }
}
