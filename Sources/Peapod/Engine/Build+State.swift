extension Build {
  @inline(__always)
  func has(_ flag: Flags) -> Bool { state.pointee.flags.contains(flag) }

  @inline(__always)
  func set(_ flag: Flags, _ isSet: Bool) {
    // Assigned, for to change it in place counts for ThreadSanitizer as a change of the whole state, of which constants are read
    // without the lock.
    state.pointee.flags = isSet ? state.pointee.flags.union(flag) : state.pointee.flags.subtracting(flag)
  }

  var details: Details {
    if let known = state.pointee.details { return known }
    let made = Details()
    state.pointee.details = made
    return made
  }

  // Safe: what is taken unretained is kept by whoever asked, and the override by the entry, as long as the builder runs.

  var entry: Entry { state.pointee.entry }
  /// The layer for which the builder runs: what it asks its `pod` for is answered as seen from there.
  var view: Layer { state.pointee.view }
  /// Whether what is asked for as seen from a layer is not asked of the builder's own pod.
  ///
  /// Asked at the time of the request: the pod is answered otherwise than at first if it has gone, or has come to change anything or
  /// nothing.
  @inline(__always)
  func isForeign(_ other: Layer) -> Bool { other != view && isReallyForeign(other) }

  @inline(never)
  private func isReallyForeign(_ other: Layer) -> Bool {
    // Safe: as for `pod`.
    other != state.pointee.pod._withUnsafeGuaranteedRef { $0.layerInPlace.effective }
  }

  var depth: Int { Int(state.pointee.depth) }
  var declaration: Declaration { state.pointee.declaration.takeUnretainedValue() }
  /// The override that makes the instance; `nil` for the declaration's own builder.
  var override: Override.Pointer? { state.pointee.override }
  /// The override that makes the instance, if it is one of a provider.
  func override(of other: Declaration) -> Override.Pointer? { isOf(other) ? override : nil }
  var definition: Definition { override?.object ?? declaration }
  /// The pod that the builder is given.
  var pod: Pod { state.pointee.pod.takeUnretainedValue() }
  /// The override whose builder asked for what it overrides.
  var outer: Override.Pointer? { state.pointee.outer }
  /// Whether the pod was retained for this, and is not kept by who runs the builder around it.
  var keepsPod: Bool {
    get { state.pointee.keepsPod }
    nonmutating set { state.pointee.keepsPod = newValue }
  }

  /// Calls the body with the pod that the builder is given, and lets that go.
  ///
  /// Called once. The build may be over when the body returns.
  @inline(__always)
  func withPod<Result>(_ body: (Pod) throws -> Result) rethrows -> Result {
    let (pod, isKept) = (state.pointee.pod, keepsPod)
    defer { if isKept { pod.release() } }
    // Safe: retained for this, or by who runs the builder around it.
    return try pod._withUnsafeGuaranteedRef(body)
  }

  /// What stands for this build in its task.
  var token: RunningBuild? { state.pointee.details?.token }

  /// Whether it is of a provider.
  @inline(__always)
  func isOf(_ other: Declaration) -> Bool {
    state.pointee.declaration.toOpaque() == Unmanaged.passUnretained(other).toOpaque()
  }

  /// Whether an override makes the instance, or with `nil` the declaration's own builder.
  @inline(__always)
  func isMade(by other: Override.Pointer?) -> Bool { override == other }

  /// The build that asked for this one, as long as it is under way.
  ///
  /// A task that a builder started may go on when the build is over: nobody asked then.
  var parent: Build? {
    guard let asking = state.pointee.asking, !asking.hasEnded else { return nil }
    return asking
  }

  /// The build that is recorded to be built from what this one makes: the one that asked, or whose pod was asked elsewhere.
  var recorder: Build? {
    if let parent { return parent }
    guard let object = state.pointee.details?.recorder else { return nil }
    let recorder = Build(object)
    return recorder.hasEnded ? nil : recorder
  }

  /// Keeps the build that is to be recorded to be built from what this one makes, which may end before.
  @inline(never)
  func keep(_ recorder: Build) {
    details.recorder = recorder.object
    if let outer { details.keepsakes.append(outer.object) }
    // Held itself, it lets that go without the lock.
    _ = object
  }

  /// Whether it was asked of another pod than the recorder's own.
  var isForeign: Bool {
    get { has(.isForeign) }
    nonmutating set { set(.isForeign, newValue) }
  }

  /// Has the pod that the builder is given, which no other builder is, say whose it is until the build is over.
  @inline(never)
  func ownPod() {
    // Safe: as for `pod`.
    state.pointee.pod._withUnsafeGuaranteedRef { $0.build = self }
    set(.ownsPod, true)
  }

  private var ownsPod: Bool { has(.ownsPod) }

  /// Whether nobody waits for it or has it, nothing that it is built from has changed, and its pod is not its own.
  @inline(__always)
  var isUnnoticed: Bool {
    state.pointee.flags.isEmpty && !state.pointee.isHeld && state.pointee.details == nil
  }

  /// Whether it is over.
  var hasEnded: Bool { state.pointee.hasEnded }

  func end() {
    state.pointee.hasEnded = true
    // Safe: as for `pod`; who made the build ends it before letting that go.
    if ownsPod { state.pointee.pod._withUnsafeGuaranteedRef { $0.build = nil } }
    if let details = state.pointee.details, let token = details.token {
      token.end()
      details.token = nil
    }
    state.pointee.pending.free()
  }

  /// Whether the instance is kept by its layer, or by the outermost resolve.
  var keeps: Bool {
    get { state.pointee.keeps }
    nonmutating set { state.pointee.keeps = newValue }
  }

  /// Whether the builder runs on the main actor; written by its thread alone.
  var ranOnMain: Bool {
    get { state.pointee.ranOnMain }
    nonmutating set { state.pointee.ranOnMain = newValue }
  }

  /// Nobody finds this build any longer: its scope was cleared or what it is built from has changed.
  var isDetached: Bool {
    get { has(.isDetached) }
    nonmutating set { set(.isDetached, newValue) }
  }

  /// Whether everyone who waited has gone.
  var isAbandoned: Bool {
    get { state.pointee.details?.isAbandoned ?? false }
    nonmutating set { details.isAbandoned = newValue }
  }

  var waiters: [Waiter] {
    get { state.pointee.details?.waiters ?? [] }
    nonmutating _modify { yield &details.waiters }
  }

  var hasWaiters: Bool { state.pointee.details.map { !$0.waiters.isEmpty } ?? false }

  /// The builds that will be recorded to be built from what this one makes: those that asked, or whose pods were asked.
  var askers: [Build] { [recorder].compactMap(\.self) + waiters.compactMap(\.recorder) }

  /// The builds that this one cannot finish without, now: nested ones and those it waits for.
  ///
  /// A build leaves these lists when it ends.
  var pending: ShortList<Pending> {
    _read { yield state.pointee.pending }
    nonmutating _modify { yield &state.pointee.pending }
  }

  /// What graph-scoped providers gave within this outermost build.
  var graphEntries: [Entry] {
    get { state.pointee.details?.graphEntries ?? [] }
    nonmutating _modify { yield &details.graphEntries }
  }

  var hasGraphEntries: Bool { state.pointee.details.map { !$0.graphEntries.isEmpty } ?? false }

  /// How long other builds took within this one, in nanoseconds.
  var nested: Int64 {
    get { state.pointee.nested }
    nonmutating set { state.pointee.nested = newValue }
  }

  /// Of a build with a task of its own: the caller that began it, which waits like everyone else.
  var firstWaiter: Waiter? {
    get { state.pointee.details?.firstWaiter }
    nonmutating set { details.firstWaiter = newValue }
  }

  /// Whether it has a first waiter.
  var isShared: Bool { state.pointee.details.map { $0.firstWaiter != nil } ?? false }

  /// The task of an asynchronous build.
  var task: Task<Void, Never>? {
    get { state.pointee.details?.task }
    nonmutating set { details.task = newValue }
  }

  var priority: TaskPriority? {
    get { state.pointee.details?.priority }
    nonmutating set { details.priority = newValue }
  }

  /// Begins to count the time.
  func start() { state.pointee.start = MonotonicClock.now }

  /// How long it has been under way, in nanoseconds.
  func time() -> Int64 { MonotonicClock.now &- state.pointee.start }

  /// The outermost build of the chain.
  var outermost: Build {
    var build = self
    while let parent = build.parent { build = parent }
    return build
  }

  /// Points the builder's pod at the layer in which the instance lives.
  func settle(at home: Layer? = nil, _ aftermath: inout Aftermath) {
    guard ownsPod else { return }
    // Safe: as for `pod`.
    state.pointee.pod._withUnsafeGuaranteedRef { $0.settle(at: home ?? entry.layer, &aftermath) }
  }

  @inline(__always)
  func stopPending(_ other: Build) {
    // Mostly it is the one that began last.
    if pending.count == 1, pending[0].build == other {
      _ = pending.removeLast()
    } else {
      stopEarlier(other)
    }
  }

  @inline(never)
  private func stopEarlier(_ other: Build) {
    if let index = pending.lastIndex(where: { $0.build == other }) { pending.swapOut(at: index) }
  }
}
