/// Resolving synchronous kinds.
extension Engine {
  /// Resolves a provider that cannot throw.
  @inline(__always)
  static func value<Value>(_ declaration: Declaration, in pod: Pod, _ deferral: Deferral? = nil) -> Value {
    guard declaration.isReference else { return nonthrowingValue(declaration, in: pod, deferral) }
    var word = reference(declaration, in: pod, deferral)
    return Memory.take(&word)
  }

  /// Resolves a provider of references that cannot throw; returns the bits of the reference.
  @inline(never)
  static func reference(_ declaration: Declaration, in pod: Pod, _ deferral: Deferral?) -> UInt {
    var word: UInt = 0
    do { try resolve(declaration, in: pod, deferral, into: &word) } catch { fail(declaration, error) }
    return word
  }

  @inline(never)
  private static func nonthrowingValue<Value>(_ declaration: Declaration, in pod: Pod, _ deferral: Deferral?) -> Value {
    do { return try throwingValue(declaration, in: pod, deferral) } catch { fail(declaration, error) }
  }

  /// Memory for most values, such as existentials, without the metadata that a temporary allocation needs from the runtime.
  private typealias Words = (UInt, UInt, UInt, UInt, UInt, UInt)

  /// Resolves a provider of a synchronous kind.
  @inline(__always)
  static func throwingValue<Value>(
    _ declaration: Declaration, in pod: Pod, _ deferral: Deferral? = nil
  ) throws -> Value {
    if declaration.isReference {
      var word: UInt = 0
      try resolve(declaration, in: pod, deferral, into: &word)
      return Memory.take(&word)
    }
    if MemoryLayout<Value>.size <= MemoryLayout<Words>.size,
      MemoryLayout<Value>.alignment <= MemoryLayout<Words>.alignment
    {
      var words: Words = (0, 0, 0, 0, 0, 0)
      try resolve(declaration, in: pod, deferral, into: &words)
      return Memory.take(&words)
    }
    return try largeValue(declaration, in: pod, deferral)
  }

  // A function of its own, since the function gets the metadata of the value from the runtime when it begins.
  @inline(never)
  private static func largeValue<Value>(
    _ declaration: Declaration, in pod: Pod, _ deferral: Deferral?
  ) throws -> Value {
    try withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) { memory in
      let memory = memory.baseAddress.unsafelyUnwrapped
      try resolve(declaration, in: pod, deferral, into: UnsafeMutableRawPointer(memory))
      return memory.move()
    }
  }

  /// Resolves a provider of a synchronous kind into the caller's uninitialized memory.
  ///
  /// Not generic and not inlined, so that a deep graph needs little of the stack.
  @inline(never)
  private static func resolve(
    _ declaration: Declaration, in pod: Pod, _ deferral: Deferral?, into memory: UnsafeMutableRawPointer
  ) throws {
    if deferral?.outer == nil, pod.copyOwnValue(of: declaration, into: memory) { return }
    _ = try resolvedInstance(declaration, in: pod, deferral, into: memory)
  }

  /// Resolves a provider of a synchronous kind that cannot throw; returns the value with its instance, or with the record of a transient.
  @inline(never)
  static func valueAndInstance<Value>(_ declaration: Declaration, in pod: Pod) -> (Value, Instance) {
    withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) { memory in
      let memory = memory.baseAddress.unsafelyUnwrapped
      do {
        let instance = try resolvedInstance(declaration, in: pod, nil, into: UnsafeMutableRawPointer(memory))
        return (memory.move(), instance)
      } catch { fail(declaration, error) }
    }
  }

  @inline(__always)
  private static func resolvedInstance(
    _ declaration: Declaration, in pod: Pod, _ deferral: Deferral?, into memory: UnsafeMutableRawPointer
  ) throws -> Instance {
    let asking = Build.beginRequest(resolvingIn: pod)
    defer { asking?.endRequest() }
    while true {
      switch try step(declaration, in: pod, deferral, into: memory) {
      case .ready(let instance): return instance
      case .build(let build): return try run(build, into: memory)
      case .again: continue
      }
    }
  }

  /// How a resolve continues.
  private enum Step {
    /// The value was copied to the memory of the caller.
    case ready(Instance)
    case build(Build)
    case again
  }

  /// Makes a request, and waits if another caller builds the instance.
  ///
  /// A function of its own, since a request needs room on the stack, and builders nest.
  @inline(never)
  private static func step(
    _ declaration: Declaration, in pod: Pod, _ deferral: Deferral?, into memory: UnsafeMutableRawPointer
  ) throws -> Step {
    if let shared = Build.sharedInstance(of: declaration, in: pod, into: memory) { return .ready(shared) }
    let request = Request(declaration, of: pod, deferral)
    switch request.answer(into: memory) {
    case .ready(let instance): return .ready(instance)
    case .build(let build): return .build(build)
    case .wait(let build): return try wait(for: build, request, into: memory) ? .ready(build.instance) : .again
    case .cycle(let path): try stop(at: declaration, path)
    case .outdated: return .again
    case .nothing: fatalError(Failure.abstract())
    }
  }

  /// Blocks the thread until a build ends; returns `false` if the request is to be made again.
  @inline(never)
  private static func wait(
    for build: Build, _ request: borrowing Request, into memory: UnsafeMutableRawPointer
  ) throws -> Bool {
    let waiter = Waiter(for: build, request, blocksThread: true)
    switch request.wait(waiter) {
    case .ended: return false
    case .cycle(let path): try stop(at: request.declaration, path)
    case .waiting: break
    }
    request.moveRecorder(to: build)
    Delay.step()
    let start = MonotonicClock.now
    request.caller.build?.beginNested(at: start)
    let outcome = waiter.block()
    request.caller.build?.endNested(from: start, to: MonotonicClock.now)
    return try request.take(outcome, of: build, into: memory)
  }

  /// Runs a synchronous builder, stores the instance, and records the instance for the dependent build.
  ///
  /// `memory`: the memory for the caller's copy of the value, if the caller needs one.
  @inline(never)
  private static func run(_ build: Build, into memory: UnsafeMutableRawPointer?) throws -> Instance {
    let declaration = build.declaration
    do {
      let value = try runBuilder(of: build) { definition, pod in
        guard let memory, build.use == .transient || declaration.isReference else {
          return try definition.store(declaration, in: pod)
        }
        try definition.make(declaration, in: pod, at: memory)
        // Safe: the builder has just stored a reference there, whose bits are the value. A transient value is not read again.
        return StoredValue(word: declaration.isReference ? memory.load(as: UInt.self) : 1)
      }
      let record = build.finish(.success(value), into: memory)
      build.recordForCaller(record)
      return record
    } catch {
      build.finish(.failure(error))
      build.recordFailureForCaller()
      throw error
    }
  }

  /// Runs the builder of a build in a frame of this thread.
  @inline(__always)
  private static func runBuilder(
    of build: Build, _ body: (Definition, Pod) throws -> StoredValue
  ) throws -> StoredValue {
    let pod: Pod = build.pod
    let parent = CurrentThread.frame
    var frame = Frame(
      above: parent, build.declaration, build.definition, pod: pod, view: build.view, build: build)
    return try withUnsafeMutablePointer(to: &frame) { frame in
      CurrentThread.frame = frame
      Delay.step()
      if parent?.pointee.build == nil { InBuildFlag.raise() }
      defer {
        Delay.step()
        if parent?.pointee.build == nil { InBuildFlag.lower() }
        CurrentThread.frame = parent
      }
      return try body(build.definition ?? build.declaration, pod)
    }
  }

  // MARK: - One use

  /// Builds a fresh instance of a synchronous provider.
  static func fresh(_ declaration: Declaration, in pod: Pod, _ deferral: Deferral?) -> Instance {
    let asking = Build.beginRequest(resolvingIn: pod)
    defer { asking?.endRequest() }
    do { return try run(beginFresh(declaration, in: pod, deferral), into: nil) } catch { fail(declaration, error) }
  }

  static func beginFresh(_ declaration: Declaration, in pod: Pod, _ deferral: Deferral?) throws -> Build {
    let request = Request(declaration, of: pod, to: .useOnce, deferral)
    switch request.answer(into: nil) {
    case .build(let build): return build
    case .cycle(let path): try stop(at: declaration, path)
    case .ready, .wait, .nothing, .outdated: fatalError(Failure.abstract())
    }
  }

  // MARK: - Transients that are recorded already

  /// Builds a transient whose dependencies the root has recorded, if no build records the resolve.
  ///
  /// `pod`: the resolving pod. `root`: its root, which answers.
  static func unrecordedValue<Value>(_ declaration: Declaration, in pod: Pod, _ root: PodState) throws -> Value {
    let parent = CurrentThread.frame
    if let path = parent?.path(fromSame: declaration) { try stop(at: declaration, path) }
    let builderPod: Pod
    if pod.isOwner {
      guard let shared = root.builderPod() else { return try throwingValue(declaration, in: pod) }
      builderPod = shared
    } else {
      builderPod = pod
    }
    var frame = Frame(above: parent, declaration, nil, pod: builderPod, view: root, build: nil)
    return try withUnsafeMutablePointer(to: &frame) { frame in
      CurrentThread.frame = frame
      defer {
        CurrentThread.frame = parent
        if let graph = frame.pointee.graph { endGraph(graph) }
      }
      // Safe: a synchronous provider of this type has a declaration of this class.
      return try unsafeDowncast(declaration, to: SyncDeclaration<Value>.self).build(builderPod)
    }
  }

  @inline(never)
  private static func endGraph(_ graph: GraphInstances) { Teardown.run(graph.end()) }

  /// Does the same as `unrecordedValue` for a provider that cannot throw.
  @inline(never)
  static func unrecordedNonthrowingValue<Value>(_ declaration: Declaration, in pod: Pod, _ root: PodState) -> Value {
    do { return try unrecordedValue(declaration, in: pod, root) } catch { fail(declaration, error) }
  }
}

extension Request {
  /// Moves the dependent build to the home of the build for which it waits, if that home is below its own.
  func moveRecorder(to build: Build) {
    move(to: build.home)
  }

  /// Takes the outcome of a wait; returns `false` if the request is to be made again.
  func take(_ outcome: Waiter.Outcome, of build: Build, into memory: UnsafeMutableRawPointer) throws -> Bool {
    switch outcome {
    case .value(let value):
      declaration.move(value, to: memory)
      record(build.instance)
      return true
    case .failure(let error):
      context.recordFailure(of: build)
      throw error
    case .canceled: throw CancellationError()
    case .dismissed: return false
    }
  }
}
