extension Engine {
  @inline(__always)
  static func value<Value>(_ declaration: Declaration, in pod: Pod, _ deferral: Deferral? = nil) -> Value {
    storedValue(declaration, in: pod, deferral).take(isReference: declaration.isReference)
  }

  /// Resolves a provider that cannot throw.
  @inline(never)
  static func storedValue(_ declaration: Declaration, in pod: Pod, _ deferral: Deferral? = nil) -> StoredValue {
    if let known = deferral?.readSlot(of: declaration, in: pod) { return known }
    // The builder cannot throw, and `stop` ends the program at a cycle.
    return try! resolve(declaration, in: pod, deferral).value
  }

  /// Resolves a provider of a synchronous kind.
  @inline(__always)
  static func throwingValue<Value>(
    _ declaration: Declaration, in pod: Pod, _ deferral: Deferral? = nil
  ) throws -> Value {
    let value = try deferral?.readSlot(of: declaration, in: pod) ?? resolve(declaration, in: pod, deferral).value
    return value.take(isReference: declaration.isReference)
  }

  /// Resolves a provider of a synchronous kind that cannot throw; returns the value with its instance, or with the record of a transient.
  static func valueAndInstance<Value>(_ declaration: Declaration, in pod: Pod) -> (Value, Instance) {
    // As in `storedValue`, nothing is thrown.
    let (instance, value) = try! resolve(declaration, in: pod)
    return (value.take(isReference: declaration.isReference), instance)
  }

  /// Resolves a provider of a synchronous kind.
  ///
  /// Not generic and not inlined, so that a deep graph needs little of the stack.
  @inline(never)
  static func resolve(
    _ declaration: Declaration, in pod: Pod, _ deferral: Deferral? = nil
  ) throws -> (instance: Instance, value: StoredValue) {
    var changing: PodState?
    while true {
      switch try step(declaration, in: pod, deferral, &changing) {
      case .ready(let instance, let value): return (instance, value.unsafelyUnwrapped)
      case .build(let build): if let answer = try run(build) { return answer }
      case .wait, .cycle, .nothing, .outdated: continue
      }
    }
  }

  /// Makes a request, and waits if another caller builds the instance.
  ///
  /// `changing`: see `Request.answer`. A function of its own, since a request needs room on the stack, and builders nest.
  @inline(never)
  private static func step(
    _ declaration: Declaration, in pod: Pod, _ deferral: Deferral?, _ changing: inout PodState?
  ) throws -> Request.Answer {
    if let (instance, value) = Build.sharedInstance(of: declaration, in: pod) { return .ready(instance, value) }
    let request = Request(declaration, of: pod, deferral)
    let answer = request.answer(changing: changing)
    switch answer {
    case .wait(let build):
      if let value = try wait(for: build, request) { return .ready(build.instance, value) }
      changing = request.podChanging(dependenciesOf: build)
      return .outdated
    case .cycle(let path): try stop(at: declaration, path)
    case .ready, .build, .outdated: return answer
    case .nothing: fatalError(Failure.abstract())
    }
  }

  /// Blocks the thread until a build ends; returns `nil` if the request is to be made again.
  @inline(never)
  private static func wait(for build: Build, _ request: borrowing Request) throws -> StoredValue? {
    guard let waiter = try request.beginWait(for: build, blocksThread: true) else { return nil }
    Delay.step()
    let outcome = waiter.block()
    request.endWait(waiter)
    return try request.take(outcome, by: waiter)
  }

  /// Runs a synchronous builder, stores the instance, and records the instance for the dependent build.
  ///
  /// Returns `nil` if the request is to be made again.
  @inline(never)
  private static func run(_ build: Build) throws -> (instance: Instance, value: StoredValue)? {
    try build.end(Result { try runBuilder(of: build) })
  }

  /// Runs the builder of a build in a frame of this thread.
  @inline(__always)
  private static func runBuilder(of build: Build) throws -> StoredValue {
    let pod: Pod = build.pod
    let parent = CurrentThread.frame
    var frame = Frame(above: parent, build.declaration, pod: .passUnretained(pod), build: build)
    return try withUnsafeMutablePointer(to: &frame) { frame in
      CurrentThread.frame = frame
      Delay.step()
      if parent?.pointee.build == nil { InBuildFlag.raise() }
      defer {
        Delay.step()
        if parent?.pointee.build == nil { InBuildFlag.lower() }
        CurrentThread.frame = parent
      }
      return try build.definition?.store(build.declaration, in: pod) ?? build.declaration.store(in: pod)
    }
  }

  // MARK: - One use

  /// Builds a fresh instance of a synchronous provider.
  static func fresh<Value>(_ declaration: Declaration, in pod: Pod, _ deferral: Deferral?) -> (Instance, Value) {
    // As in `storedValue`, nothing is thrown.
    let (instance, stored) = try! run(beginFresh(declaration, in: pod, deferral))!
    return (instance, stored.load(as: Value.self, isReference: declaration.isReference))
  }

  static func beginFresh(_ declaration: Declaration, in pod: Pod, _ deferral: Deferral?) throws -> Build {
    let request = Request(declaration, of: pod, to: .useOnce, deferral)
    switch request.answer() {
    case .build(let build): return build
    case .cycle(let path): try stop(at: declaration, path)
    case .ready, .wait, .nothing, .outdated: fatalError(Failure.abstract())
    }
  }

  // MARK: - Transients that are recorded already

  /// How many builds without a record may nest.
  private static let maximalDepth = 64

  /// Builds a transient whose dependencies the root has recorded, if no build records the resolve.
  ///
  /// `builderPod`: the pod for the builder, which the caller retains.
  static func unrecordedValue<Value>(_ declaration: Declaration, for builderPod: Unmanaged<Pod>) throws -> Value {
    let parent = CurrentThread.frame
    // A cycle is found among recorded builds.
    if let parent, parent.pointee.depth >= maximalDepth {
      return try throwingValue(declaration, in: builderPod.takeUnretainedValue())
    }
    var frame = Frame(above: parent, declaration, pod: builderPod, build: nil)
    return try withUnsafeMutablePointer(to: &frame) { frame in
      CurrentThread.frame = frame
      defer {
        CurrentThread.frame = parent
        if let graph = frame.pointee.graph { endGraph(graph) }
      }
      // Safe: a synchronous provider of this type has a declaration of this class.
      let build = unsafeDowncast(declaration, to: SyncDeclaration<Value>.self).build
      return try builderPod._withUnsafeGuaranteedRef { try build($0) }
    }
  }

  @inline(never)
  private static func endGraph(_ graph: GraphInstances) { Teardown.run(graph.end()) }
}

extension Request {
  /// Begins to wait for the build that answers the request; returns `nil` if the request is to be made again.
  func beginWait(for build: Build, blocksThread: Bool) throws -> Waiter? {
    let waiter = Waiter(for: build, self, blocksThread: blocksThread)
    switch WaitGraph.wait(waiter) {
    case .ended:
      // The next search does not find an abandoned build.
      build.detach()
      return nil
    case .cycle(let path): try Engine.stop(at: declaration, path)
    case .waiting: break
    }
    // A build that has moved meanwhile dismissed only the waiters of that moment.
    if build.view !== view, !view.isBelow(orSame: build.home) || !accepts(build) {
      WaitGraph.dismiss(build) { $0 === waiter }
    }
    move(to: build.home)
    caller.build?.beginNested(at: waiter.start)
    return waiter
  }

  /// Ends the wait in the durations of the dependent build.
  func endWait(_ waiter: Waiter) { caller.build?.endNested(from: waiter.start, to: MonotonicClock.now) }

  /// Takes the outcome of a wait; returns `nil` if the request is to be made again.
  func take(_ outcome: Waiter.Outcome, by waiter: Waiter) throws -> StoredValue? {
    let instance = waiter.build.instance
    switch outcome {
    case .value(let value):
      // The build may have used an override scope that this caller is not in, or what another pod answered before an override.
      guard waiter.isFirst || instance.isCurrentElsewhere() else {
        declaration.release(value)
        return nil
      }
      record(instance)
      return value
    case .failure(let error):
      guard waiter.isFirst || instance.isCurrentElsewhere() else { return nil }
      context.recordFailure(of: waiter.build)
      throw error
    case .canceled: throw CancellationError()
    case .dismissed: return nil
    }
  }
}
