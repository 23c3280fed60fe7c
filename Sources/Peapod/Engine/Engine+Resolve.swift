/// Resolving synchronous kinds.
extension Engine {
  /// Resolves a provider that cannot throw.
  @inline(__always)
  static func value<Value>(_ declaration: Declaration, in pod: Pod, outer: Override? = nil) -> Value {
    guard declaration.isReference else { return safeValue(declaration, in: pod, outer: outer) }
    var word = reference(declaration, in: pod, outer: outer)
    return Memory.take(&word)
  }

  /// Room for most values, such as existentials, without the metadata that a temporary allocation asks the runtime for.
  private typealias Words = (UInt, UInt, UInt, UInt, UInt, UInt)

  /// Resolves a provider of references that cannot throw; returns the reference's own bits.
  @inline(never)
  static func reference(_ declaration: Declaration, in pod: Pod, outer: Override?) -> UInt {
    var word: UInt = 0
    let frame = ThreadContext.frame
    do {
      guard let build = try begin(declaration, in: pod, below: frame, outer: outer, into: &word) else { return word }
      try build.withPod { try run(build, of: declaration, $0, below: frame, into: &word) }
    } catch { fail(declaration, error) }
    return word
  }

  @inline(never)
  private static func safeValue<Value>(_ declaration: Declaration, in pod: Pod, outer: Override?) -> Value {
    do { return try throwingValue(declaration, in: pod, outer: outer) } catch { fail(declaration, error) }
  }

  /// The builder cannot throw, and cycles of such providers end the program where they are found.
  @inline(never)
  private static func fail(_ declaration: Declaration, _ error: any Error) -> Never {
    fatalError(Failure.threw(declaration, error))
  }

  /// Resolves a provider of a synchronous kind.
  @inline(__always)
  static func throwingValue<Value>(_ declaration: Declaration, in pod: Pod, outer: Override? = nil) throws -> Value {
    if declaration.isReference {
      var word: UInt = 0
      try resolve(declaration, in: pod, outer: outer, into: &word)
      return Memory.take(&word)
    }
    if MemoryLayout<Value>.size <= MemoryLayout<Words>.size,
      MemoryLayout<Value>.alignment <= MemoryLayout<Words>.alignment
    {
      var words: Words = (0, 0, 0, 0, 0, 0)
      try resolve(declaration, in: pod, outer: outer, into: &words)
      return Memory.take(&words)
    }
    return try largeValue(declaration, in: pod, outer: outer)
  }

  // Kept apart, since it asks for its metadata where it begins.
  @inline(never)
  private static func largeValue<Value>(
    _ declaration: Declaration, in pod: Pod, outer: Override?
  ) throws -> Value {
    return try withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) { memory in
      let memory = memory.baseAddress.unsafelyUnwrapped
      try resolve(declaration, in: pod, outer: outer, into: UnsafeMutableRawPointer(memory))
      return memory.move()
    }
  }

  /// Resolves a provider of a synchronous kind into the caller's uninitialised memory.
  ///
  /// Kept apart from what is generic, so that deep graphs need little of the stack.
  @inline(never)
  private static func resolve(
    _ declaration: Declaration, in pod: Pod, outer: Override?, into memory: UnsafeMutableRawPointer
  ) throws {
    let frame = ThreadContext.frame
    guard let build = try begin(declaration, in: pod, below: frame, outer: outer, into: memory) else { return }
    try build.withPod { try run(build, of: declaration, $0, below: frame, into: memory) }
  }

  /// Copies the instance into the caller's memory, waiting for it if need be, or begins to build it.
  @inline(__always)
  private static func begin(
    _ declaration: Declaration, in pod: Pod, below frame: UnsafeMutablePointer<Frame>?, outer: Override?,
    into memory: UnsafeMutableRawPointer
  ) throws -> Build? {
    // Mostly it is enough, so that to take the lock again where it is not costs less than to be prepared for that.
    if outer == nil, mayBeSimple(declaration, in: pod) {
      let first = attempted(declaration, in: pod, below: frame, into: memory)
      if first.isDone { return first.build }
    } else if outer == nil, let child = simpleChild(pod, askedFor: declaration, below: frame) {
      let first = attemptInChild(declaration, in: child, below: frame, into: memory)
      if first.isDone { return first.build }
    }
    return try beginAnyway(declaration, in: pod, below: frame, outer: outer, into: memory)
  }

  // Kept apart, so that each needs little of the stack.
  @inline(never)
  private static func attempted(
    _ declaration: Declaration, in pod: Pod, below frame: UnsafeMutablePointer<Frame>?,
    into memory: UnsafeMutableRawPointer
  ) -> Attempt {
    lockedBriefly { attempt(declaration, in: pod, below: frame, into: memory) }
  }

  @inline(never)
  private static func beginAnyway(
    _ declaration: Declaration, in pod: Pod, below frame: UnsafeMutablePointer<Frame>?, outer: Override?,
    into memory: UnsafeMutableRawPointer
  ) throws -> Build? {
    while true {
      // There is a step, since this may wait, and a thing to wait with, since it parks.
      let step = locked {
        plan(declaration, in: pod, below: frame, outer: outer.map { .init($0) }, into: memory, parks: true, &$0)
      }
      switch step.unsafelyUnwrapped {
      case .ready:
        return nil
      case .wait(let waiter):
        Delay.step()
        waiter.parker.unsafelyUnwrapped.wait()
        if try take(waiter, into: memory) { return nil }
      case .build(let build):
        return build
      case .cycle(let path):
        try stop(at: declaration, path)
      case .unowned(let scope, let pod):
        fatalError(Failure.unowned(declaration, scope, pod: pod))
      }
    }
  }

  /// Ends with a cycle: throws where the provider can, else ends the program.
  static func stop(at declaration: Declaration, _ path: [ProviderInfo]) throws {
    let error = ProviderCycleError(path: path + path.prefix(1))
    guard declaration.kind == .throwing || declaration.kind == .async else { fatalError(error.description) }
    throw error
  }

  /// Takes what a wait gave; returns `false` if the request is to be made again.
  static func take(_ waiter: Waiter, into memory: UnsafeMutableRawPointer) throws -> Bool {
    // The thread that woke this one is done with the waiter; the lock orders its writes before these reads.
    switch locked({ _ in waiter.state }) {
    case .done(.success(let value)):
      waiter.build.declaration.move(value, to: memory)
      return true
    case .done(.failure(let error)): throw error
    case .cancelled: throw CancellationError()
    case .turnedAway, .waiting: return false
    }
  }

  /// Runs a synchronous builder and settles what becomes of its instance.
  @inline(__always)
  private static func run(
    _ build: Build, of declaration: Declaration, _ pod: Pod, below frame: UnsafeMutablePointer<Frame>?,
    into memory: UnsafeMutableRawPointer
  ) throws {
    do {
      let keeps = build.keeps
      let value = try withFrame(declaration, build, pod, below: frame) { definition -> StoredValue? in
        if keeps, !declaration.isReference { return try definition.store(declaration, in: pod) }
        try definition.make(declaration, in: pod, at: memory)
        // Safe: what was just made is a reference, whose bits are its value; to give it out counts it once more.
        return keeps ? StoredValue(word: memory.load(as: UInt.self)) : nil
      }
      if let value {
        finish(build, of: declaration, value, into: memory)
      } else {
        finishTransient(build, of: declaration)
      }
    } catch {
      fail(build, error)
      throw error
    }
  }

  // Kept apart, so that a deep graph needs little of the stack.

  @inline(never)
  private static func finish(
    _ build: Build, of declaration: Declaration, _ value: StoredValue, into memory: UnsafeMutableRawPointer
  ) {
    if mayBeSimple(declaration, build) {
      let isDone = lockedBriefly { attemptToFinish(build, of: declaration, value, into: memory) }
      if isDone { return }
    } else if build.view.depth == 1, attemptToFinishInChild(build, of: declaration, value, into: memory) {
      return
    }
    finishAnyway(build, of: declaration, value, into: memory)
  }

  @inline(never)
  private static func finishAnyway(
    _ build: Build, of declaration: Declaration, _ value: StoredValue, into memory: UnsafeMutableRawPointer
  ) {
    locked { finish(build, of: declaration, value, into: memory, &$0) }
  }

  @inline(never)
  private static func finishTransient(_ build: Build, of declaration: Declaration) {
    if build.view.depth == 1, attemptToFinishInChild(build, of: declaration) { return }
    locked {
      finishTransient(build, of: declaration, &$0)
      build.letGo(&$0)
    }
  }

  @inline(never)
  private static func fail(_ build: Build, _ error: any Error) {
    locked { fail(build, error, &$0) }
  }

  /// Runs the builder of an instance that belongs to one use.
  static func runFresh(_ build: Build, of declaration: Declaration, _ pod: Pod) throws -> (Entry, StoredValue) {
    do {
      let value = try withFrame(declaration, build, pod, below: ThreadContext.frame) {
        try $0.store(declaration, in: pod)
      }
      return (locked { finishFresh(build, value, &$0) }, value)
    } catch {
      fail(build, error)
      throw error
    }
  }

  /// Builds a transient that nothing is built from, and that is recorded already, for the root whose directory this is.
  ///
  /// `pod`: the pod that was asked. Its caller keeps it, and so the root's own handle, alive.
  static func makeUnrecorded<Value>(
    _ declaration: Declaration, in pod: Pod, _ directory: SlotTable.Directory
  ) throws -> Value {
    let parent = ThreadContext.frame
    if let parent, let path = parent.repetition(of: declaration) {
      let error = ProviderCycleError(path: path)
      guard declaration.kind == .throwing else { fatalError(error.description) }
      throw error
    }
    guard let layer = directory.layer, let handle = directory.builderPod else {
      return try throwingValue(declaration, in: pod)
    }
    // Safe: the directory belongs to the layer; an owner's handle lives as long as the owner, and any other pod that leads
    // here is that handle.
    let builderPod = pod.isOwner ? Unmanaged<Pod>.fromOpaque(handle) : Unmanaged.passUnretained(pod)
    return try builderPod._withUnsafeGuaranteedRef { builderPod in
      var frame = Frame(
        below: parent, declaration, nil, view: layer, pod: builderPod, build: nil, isMain: parent?.pointee.isMain)
      return try withUnsafeMutablePointer(to: &frame) { frame in
        frame.enter()
        defer {
          frame.leave()
          if !frame.pointee.graphEntries.isEmpty { endGraph(frame) }
        }
        // Safe: a synchronous provider of this type was declared so.
        return try unsafeDowncast(declaration, to: SyncDeclaration<Value>.self).build(builderPod)
      }
    }
  }

  /// Builds an unrecorded transient of a provider that cannot throw.
  static func makeUnrecordedSafely<Value>(
    _ declaration: Declaration, in pod: Pod, _ directory: SlotTable.Directory
  ) -> Value {
    do { return try makeUnrecorded(declaration, in: pod, directory) } catch { fail(declaration, error) }
  }

  /// Runs a builder with its frame on the thread.
  @inline(__always)
  private static func withFrame<Result>(
    _ declaration: Declaration, _ build: Build, _ pod: Pod, below parent: UnsafeMutablePointer<Frame>?,
    _ body: (Definition) throws -> Result
  ) throws -> Result {
    let isMain = parent?.pointee.isMain ?? ThreadContext.isMain
    build.ranOnMain = isMain
    let override = build.override
    var frame = Frame(below: parent, declaration, override, view: build.view, pod: pod, build: build, isMain: isMain)
    return try withUnsafeMutablePointer(to: &frame) { frame in
      frame.enter()
      let isOutermost = parent?.pointee.build == nil
      Delay.step()
      if isOutermost { Attention.begin() }
      defer {
        Delay.step()
        if isOutermost { Attention.end() }
        frame.leave()
        if !frame.pointee.graphEntries.isEmpty { endGraph(frame) }
      }
      // Safe: an override is kept by its record, and the declaration by who asks.
      let definition = override?.unmanaged.toOpaque() ?? Unmanaged.passUnretained(declaration).toOpaque()
      return try Unmanaged<Definition>.fromOpaque(definition)._withUnsafeGuaranteedRef(body)
    }
  }

  @inline(never)
  private static func endGraph(_ frame: UnsafeMutablePointer<Frame>) {
    let entries = Array(frame.pointee.graphEntries)
    frame.pointee.graphEntries.free()
    locked { endGraph(entries, &$0) }
  }
}
