import Synchronization

/// One construction under way, which others may wait for.
final class Build: @unchecked Sendable {
  // Safe: mutable state is read and written under the engine's lock alone, but for `pod` and `task`, which are set
  // before the build is seen by anyone else.

  let entry: Entry
  let declaration: Declaration
  let definition: Definition
  /// The layer for which the builder runs: what it asks its `pod` for is answered as seen from there.
  let view: Layer
  /// The build that asked for this one, if it was not a request from outside.
  let parent: Build?
  /// The override whose builder asked for what it overrides.
  let outer: Override?
  let depth: Int
  /// The pod that the builder is given.
  let pod: Pod
  /// Nobody finds this build any longer: its scope was cleared or what it is built from has changed.
  var isDetached = false
  /// Whether the instance is kept by its layer, or by the outermost resolve.
  var keeps = true
  /// Whether it is over.
  ///
  /// Read without the lock by tasks that the builder left behind.
  private let ended = Atomic<Bool>(false)
  var waiters: [Waiter] = []
  /// The builds that this one cannot finish without, now: nested ones and those it waits for.
  var pending = ShortList<Build>()
  /// What graph-scoped providers gave within this outermost build.
  var graphEntries: [Entry] = []
  var start = ContinuousClock.now
  var nested: Duration = .zero
  var ranOnMain = false
  /// Of a build with a task of its own: the caller that began it, which waits like everyone else.
  var firstWaiter: Waiter?
  /// Whether everyone who waited has gone.
  var isAbandoned = false
  /// The task of an asynchronous build.
  var task: Task<Void, Never>?
  var priority: TaskPriority?

  init(
    _ declaration: Declaration, _ definition: Definition, entry: Entry, view: Layer, asker: Asker, pod: Pod
  ) {
    self.declaration = declaration
    self.definition = definition
    self.entry = entry
    self.view = view
    parent = asker.build
    outer = asker.outer
    self.pod = pod
    depth = (asker.build?.depth ?? -1) + 1
    entry.build = self
  }

  var hasEnded: Bool { ended.load(ordering: .acquiring) }
  func end() { ended.store(true, ordering: .releasing) }
}

extension Build {
  /// The outermost build of the chain.
  var outermost: Build {
    var build = self
    while let parent = build.parent { build = parent }
    return build
  }

  func stopPending(_ other: Build) {
    if let index = pending.lastIndex(where: { $0 === other }) { pending.swapOut(at: index) }
  }

  /// The way along which `target` cannot finish without this build, from `target` to this one; `nil` if there is none.
  ///
  /// - Complexity: O(builds under way), without recursion.
  func chain(from target: Build) -> [Build]? {
    var cameFrom: [ObjectIdentifier: Build] = [:]
    var seen: Set<ObjectIdentifier> = [ObjectIdentifier(target)]
    var rest = [target]
    while let build = rest.popLast() {
      if build === self {
        var path = [build]
        while let previous = cameFrom[ObjectIdentifier(path[path.count - 1])] { path.append(previous) }
        return path.reversed()
      }
      for next in build.pending where seen.insert(ObjectIdentifier(next)).inserted {
        cameFrom[ObjectIdentifier(next)] = build
        rest.append(next)
      }
    }
    return nil
  }

  /// The part of the chain above this build, this one last, that begins with the same provider made the same way.
  ///
  /// Nearby it looks at each step. Further up it looks only at depths that are powers of two, so that a deep graph is
  /// built in linear time and endless recursion is still found.
  func chain(fromSame declaration: Declaration, _ definition: Definition, view: Layer) -> [Build]? {
    let isThorough = depth & (depth + 1) == 0
    var path: [Build] = []
    var build: Build? = self
    while let current = build, isThorough || path.count < 64 {
      path.append(current)
      if current.declaration === declaration, current.definition === definition, current.view === view {
        return path.reversed()
      }
      build = current.parent
    }
    return nil
  }
}

/// Someone who waits for a build: a blocked thread or a suspended task.
final class Waiter: @unchecked Sendable {
  // Safe: mutable state is read and written under the engine's lock alone.

  enum Wake {
    case thread(Parker)
    /// Set once the task has suspended.
    case task(UnsafeContinuation<Void, Never>?)
  }

  enum State {
    /// Next: any other.
    case waiting
    /// The build is done; what it gave belongs to this waiter.
    case done(Result<StoredValue, any Error>)
    /// What the build became is not what this waiter would get: it asks again.
    case turnedAway
    case cancelled
  }

  let build: Build
  let asker: Build?
  let view: Layer
  /// On what a thread waits; `nil` for a task.
  let parker: Parker?
  var wake: Wake
  var state = State.waiting

  init(_ build: Build, asker: Build?, view: Layer, parker: Parker?) {
    self.build = build
    self.asker = asker
    self.view = view
    self.parker = parker
    wake = parker.map { .thread($0) } ?? .task(nil)
  }
}

/// A step on the stack of one thread: the synchronous builder that it runs.
struct Frame {
  let parent: UnsafeMutablePointer<Frame>?
  // Unretained: whoever runs the builder holds all of these until the frame is gone.
  unowned(unsafe) let declaration: Declaration
  unowned(unsafe) let definition: Definition
  unowned(unsafe) let view: Layer
  /// The pod that the builder was given.
  unowned(unsafe) let pod: Pod
  /// The build that records what is asked for; `nil` for a transient that nothing is built from.
  unowned(unsafe) let build: Build?
  let depth: Int
  /// Whether the thread is the main one; `nil` while nobody asked.
  let isMain: Bool?
  /// What graph-scoped providers gave within this outermost resolve, where no build records it.
  var graphEntries: [Entry] = []
}

extension UnsafeMutablePointer<Frame> {
  /// The outermost builder of the thread.
  var bottom: UnsafeMutablePointer<Frame> {
    var frame = self
    while let parent = frame.pointee.parent { frame = parent }
    return frame
  }
}
