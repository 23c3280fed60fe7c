/// One construction under way, which others may wait for.
///
/// As a layer, this is an address and no counted reference. The state lives until whoever runs the builder ends it, and
/// longer for those who keep its `object`.
struct Build: Hashable, @unchecked Sendable {
  // Safe: state is read and written under the engine's lock alone, but for what stays the same while the builder runs.

  /// Keeps a build.
  typealias Object = ManagedBuffer<State, Void>

  struct State {
    let object: Unmanaged<Object>
    let entry: Entry
    let view: Layer
    // Kept by whoever asked, but for the override, which the entry keeps. A build with a task of its own keeps all of them itself.
    let declaration: Unmanaged<Declaration>
    let override: Override.Pointer?
    let outer: Override.Pointer?
    let pod: Unmanaged<Pod>
    var asking: Build?
    let depth: Int32
    // Bytes of their own, since they are also read without the lock, by those for whom they do not change.
    var hasEnded = false
    /// Whether others than the one who runs the builder keep the object.
    var isHeld = false
    /// Whether the pod was retained for this, and is not kept by who runs the builder around it.
    var keepsPod = true
    var keeps = true
    var ranOnMain = false
    var flags: Flags = []
    var pending = ShortList<Pending>()
    /// When it began, in nanoseconds.
    var start: Int64
    var nested: Int64 = 0
    var details: Details?
  }

  /// What is true of few builds.
  struct Flags: OptionSet {
    let rawValue: UInt8
    static let isDetached = Flags(rawValue: 1 << 0)
    /// The pod says whose it is.
    static let ownsPod = Flags(rawValue: 1 << 1)
    static let isForeign = Flags(rawValue: 1 << 2)
  }

  /// What few builds have.
  final class Details {
    /// What a build with a task of its own has to keep: it may go on when those who asked have gone.
    var keepsakes: [AnyObject] = []
    var token: RunningBuild?
    /// The build whose pod was asked where no builder is known to ask.
    var recorder: Object?
    var isAbandoned = false
    var waiters: [Waiter] = []
    var graphEntries: [Entry] = []
    var firstWaiter: Waiter?
    var task: Task<Void, Never>?
    var priority: TaskPriority?
  }

  /// A build that another one cannot finish without.
  struct Pending: ShortListElement {
    let build: Build
    let isForeign: Bool

    var word: UInt { build.address }
    var number: UInt32 { isForeign ? 1 : 0 }

    init(_ build: Build, isForeign: Bool) { (self.build, self.isForeign) = (build, isForeign) }

    init(word: UInt, number: UInt32) {
      // Safe: only what `word` gave is kept as such, which is the address of a build.
      build = Build(at: word).unsafelyUnwrapped
      isForeign = number != 0
    }
  }

  let state: UnsafeMutablePointer<State>

  /// The build with an address.
  init?(at address: UInt) {
    guard let pointer = UnsafeMutableRawPointer(bitPattern: address) else { return nil }
    // Safe: only addresses of builds are kept as such, by their entries, as long as they are under way.
    state = pointer.assumingMemoryBound(to: State.self)
  }

  var address: UInt { UInt(bitPattern: state) }

  init(_ object: Object) {
    // Safe: the header stays where it is as long as the object, and so do all who have the address.
    state = object.withUnsafeMutablePointerToHeader { $0 }
  }

  /// What keeps this build.
  ///
  /// Who takes it keeps it for longer than the builder runs.
  var object: Object {
    // Who takes it without the lock has a build that is held since it was made, and must not write beside those who have it.
    if !state.pointee.isHeld { state.pointee.isHeld = true }
    return state.pointee.object.takeUnretainedValue()
  }
}

// MARK: - Lifetime

extension Build {
  /// Builds that are over, whose memory is used again.
  // Safe: both are read and written under the engine's lock alone.
  @exclusivity(unchecked) nonisolated(unsafe) private static var spare: Build?
  @exclusivity(unchecked) nonisolated(unsafe) private static var spareCount = 0
  /// How many are kept, none with the build flag `PEAPOD_UNPOOLED`.
  private static let spareLimit = EntryPool.limit / 4

  /// Makes a build, for the caller to run and to let go.
  ///
  /// `pod`: what the builder is given, for the caller to take.
  static func make(
    _ declaration: Declaration, _ override: Override.Pointer?, entry: Entry, view: Layer, asking: Build?,
    outer: Override.Pointer?, pod: Unmanaged<Pod>
  ) -> Build {
    view.isInvolved = true
    let depth = asking.map { $0.state.pointee.depth + 1 } ?? 0
    let build = spare ?? makeSpare(declaration, entry: entry, view: view, pod: pod)
    spare = build.state.pointee.asking
    spareCount -= 1
    // Safe: what is spare keeps nothing, and what is left in it are plain bits.
    build.state.initialize(
      to: State(
        object: build.state.pointee.object, entry: entry, view: view, declaration: .passUnretained(declaration),
        override: override, outer: outer, pod: pod, asking: asking, depth: depth, start: MonotonicClock.now))
    if declaration.kind == .async { build.keepAll() }
    entry.build = build
    return build
  }

  /// Makes one of no meaning yet, for the caller to take from those that are spare, among which it is counted.
  ///
  /// It keeps nothing of what it is made with, and its object until `letGo`.
  @inline(never)
  private static func makeSpare(
    _ declaration: Declaration, entry: Entry, view: Layer, pod: Unmanaged<Pod>
  ) -> Build {
    let object = Object.create(minimumCapacity: 0) {
      State(
        object: .passUnretained($0), entry: entry, view: view, declaration: .passUnretained(declaration), override: nil,
        outer: nil, pod: pod, asking: nil, depth: 0, start: 0)
    }
    _ = Unmanaged.passRetained(object)
    spareCount += 1
    return Build(object)
  }

  /// Keeps all that it needs, for a build with a task of its own.
  @inline(never)
  private func keepAll() {
    let details = details
    details.keepsakes = [declaration, view.object, pod]
    for override in [override, state.pointee.outer] {
      if let override { details.keepsakes.append(override.object) }
    }
    if let asking = state.pointee.asking { details.keepsakes.append(asking.object) }
    details.token = RunningBuild(self)
  }

  /// Ends what the one who made it has of it.
  func letGo(_ aftermath: inout Aftermath) {
    guard !state.pointee.isHeld else {
      return aftermath.release(state.pointee.object)
    }
    // Only what is held keeps anything of the user's.
    state.pointee.details = nil
    letGoUnheld()
  }

  /// Ends it, and what the one who made it has of it, where nobody noticed it.
  @inline(__always)
  func endUnnoticed() {
    state.pointee.hasEnded = true
    state.pointee.pending.free()
    letGoUnheld()
  }

  /// Ends what the one who made it has of it, where nobody else holds it and it has no details.
  @inline(__always)
  private func letGoUnheld() {
    guard Build.spareCount < Build.spareLimit else { return state.pointee.object.release() }
    // What is spare names the next.
    state.pointee.asking = Build.spare
    Build.spare = self
    Build.spareCount += 1
  }
}
