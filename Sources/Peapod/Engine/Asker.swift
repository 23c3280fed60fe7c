import Synchronization

/// Who asks for a provider: a builder on this thread, a builder of this task or of one above it, or nobody.
struct Asker {
  /// The innermost synchronous builder of this thread.
  let frame: UnsafeMutablePointer<Frame>?
  /// The build to which what is asked for belongs.
  let build: Build?
  /// The override whose builder asks for the very provider that it overrides.
  let outer: Override?

  init(for declaration: Declaration) {
    frame = ThreadContext.frame
    if let frame {
      build = frame.pointee.build
      outer = frame.pointee.declaration === declaration ? frame.pointee.definition.override : nil
    } else {
      build = TaskContext.runningBuild
      outer = build?.declaration === declaration ? build?.definition.override : nil
    }
  }

  /// A handle asks: it was made by an override's builder, or by any other code.
  init(outer: Override?, frame: UnsafeMutablePointer<Frame>?, build: Build?) {
    self.outer = outer
    self.frame = frame
    self.build = build
  }
}

/// What goes with a task: the asynchronous build that it is part of, and the pods that stand in for others.
enum TaskContext {
  @TaskLocal static var build: Build?
  @TaskLocal static var substitutes: Substitutes?

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
  static var runningBuild: Build? {
    guard isActive, let build, !build.hasEnded else { return nil }
    return build
  }
}
