/// Resolving synchronous kinds.
extension Engine {
  /// Resolves a provider that cannot throw.
  static func value<Value>(_ declaration: Declaration, in pod: Pod, outer: Override? = nil) -> Value {
    do { return try throwingValue(declaration, in: pod, outer: outer) } catch {
      // The builder cannot throw, and cycles of such providers end the program where they are found.
      fatalError(Failure.threw(declaration, error))
    }
  }

  /// Resolves a provider of a synchronous kind.
  static func throwingValue<Value>(_ declaration: Declaration, in pod: Pod, outer: Override? = nil) throws -> Value {
    if declaration.isReference {
      // Without the metadata that a temporary allocation asks the runtime for.
      var word: UInt = 0
      try resolve(declaration, in: pod, outer: outer, into: &word)
      // Safe: a reference of this type is one word.
      return withUnsafeMutablePointer(to: &word) {
        UnsafeMutableRawPointer($0).assumingMemoryBound(to: Value.self).move()
      }
    }
    return try withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) { memory in
      let memory = memory.baseAddress.unsafelyUnwrapped
      try resolve(declaration, in: pod, outer: outer, into: UnsafeMutableRawPointer(memory))
      return memory.move()
    }
  }

  /// Resolves a provider of a synchronous kind into the caller's uninitialised memory.
  ///
  /// Kept apart from what is generic, and from what runs the builder, so that deep graphs need little of the stack.
  @inline(never)
  private static func resolve(
    _ declaration: Declaration, in pod: Pod, outer: Override?, into memory: UnsafeMutableRawPointer
  ) throws {
    guard let (build, asker) = try begin(declaration, in: pod, outer: outer, into: memory) else { return }
    try run(build, asker, into: memory)
  }

  /// Copies the instance into the caller's memory, waiting for it if need be, or begins to build it.
  @inline(never)
  private static func begin(
    _ declaration: Declaration, in pod: Pod, outer: Override?, into memory: UnsafeMutableRawPointer
  ) throws -> (Build, Asker)? {
    var asker = Asker(for: declaration)
    if let outer, asker.outer == nil { asker = Asker(outer: outer, frame: asker.frame, build: asker.build) }
    while true {
      let step = locked { plan(declaration, in: pod, for: asker, into: memory, parks: true, &$0) }
      switch step.unsafelyUnwrapped {
      case .ready:
        return nil
      case .wait(let waiter):
        waiter.parker.unsafelyUnwrapped.wait()
        if try take(waiter, into: memory) { return nil }
      case .build(let build):
        return (build, asker)
      case .cycle(let chain):
        try stop(at: declaration, chain)
      case .unowned(let scope, let layer):
        fatalError(Failure.unowned(declaration, scope, pod: layer.name))
      }
    }
  }

  /// Ends with a cycle: throws where the provider can, else ends the program.
  static func stop(at declaration: Declaration, _ chain: [Build]) throws {
    let path = chain.map(\.entry.info)
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
  static func run(_ build: Build, _ asker: Asker, into memory: UnsafeMutableRawPointer) throws {
    let declaration = build.declaration
    do {
      if build.keeps {
        let value = try withFrame(declaration, build.definition, build.view, build.pod, build, asker) {
          try build.definition.store(declaration, in: build.pod)
        }
        locked { finish(build, value, into: memory, &$0) }
      } else {
        try withFrame(declaration, build.definition, build.view, build.pod, build, asker) {
          try build.definition.make(declaration, in: build.pod, at: memory)
        }
        locked { finishTransient(build, &$0) }
      }
    } catch {
      locked { fail(build, error, &$0) }
      throw error
    }
  }

  /// Runs the builder of an instance that belongs to one use.
  static func runFresh(_ build: Build, _ asker: Asker) throws -> Entry {
    do {
      let value = try withFrame(build.declaration, build.definition, build.view, build.pod, build, asker) {
        try build.definition.store(build.declaration, in: build.pod)
      }
      locked { finishFresh(build, value, &$0) }
      return build.entry
    } catch {
      locked { fail(build, error, &$0) }
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
        parent: parent, declaration: declaration, definition: declaration,
        view: Unmanaged<Layer>.fromOpaque(layer)._withUnsafeGuaranteedRef { $0 }, pod: builderPod, build: nil,
        depth: (parent?.pointee.depth ?? -1) &+ 1, isMain: parent?.pointee.isMain)
      return try withUnsafeMutablePointer(to: &frame) { frame in
        ThreadContext.frame = frame
        defer {
          ThreadContext.frame = parent
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
    do { return try makeUnrecorded(declaration, in: pod, directory) } catch {
      fatalError(Failure.threw(declaration, error))
    }
  }

  /// Runs a builder with its frame on the thread.
  @inline(__always)
  private static func withFrame<Result>(
    _ declaration: Declaration, _ definition: Definition, _ view: Layer, _ pod: Pod, _ build: Build?, _ asker: Asker,
    _ body: () throws -> Result
  ) throws -> Result {
    let isMain = asker.frame?.pointee.isMain ?? ThreadContext.isMain
    build?.ranOnMain = isMain
    var frame = Frame(
      parent: asker.frame, declaration: declaration, definition: definition, view: view, pod: pod, build: build,
      depth: (asker.frame?.pointee.depth ?? -1) + 1, isMain: isMain)
    return try withUnsafeMutablePointer(to: &frame) { frame in
      ThreadContext.frame = frame
      let isOutermost = build != nil && asker.frame?.pointee.build == nil
      if isOutermost { Attention.begin() }
      defer {
        if isOutermost { Attention.end() }
        ThreadContext.frame = asker.frame
        if !frame.pointee.graphEntries.isEmpty { endGraph(frame) }
      }
      return try body()
    }
  }

  private static func endGraph(_ frame: UnsafeMutablePointer<Frame>) {
    let entries = frame.pointee.graphEntries
    frame.pointee.graphEntries = []
    locked { Teardown.begin(entries.filter { $0.state == .kept }, &$0) }
  }
}

extension UnsafeMutablePointer<Frame> {
  /// The way from an unrecorded builder of the same transient to itself; `nil` if there is none.
  ///
  /// Far up it is looked for only at depths that are powers of two: endless recursion is still found.
  fileprivate func repetition(of declaration: Declaration) -> [ProviderInfo]? {
    let isThorough = pointee.depth & (pointee.depth + 1) == 0
    var path: [ProviderInfo] = []
    var next: UnsafeMutablePointer<Frame>? = self
    var count = 0
    while let frame = next, isThorough || count < 64 {
      if frame.pointee.declaration === declaration, frame.pointee.definition === declaration {
        var step: UnsafeMutablePointer<Frame>? = self
        while let current = step {
          let own = current.pointee
          path.append(ProviderInfo(own.declaration, scope: own.definition.scope(of: own.declaration)))
          step = current == frame ? nil : own.parent
        }
        path.reverse()
        return path + path.prefix(1)
      }
      count += 1
      next = frame.pointee.parent
    }
    return nil
  }
}
