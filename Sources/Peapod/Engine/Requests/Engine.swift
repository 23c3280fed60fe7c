/// The functions that the public interface calls to resolve.
enum Engine {
  /// Throws the error of a dependency cycle if the provider can throw, and otherwise stops the program with its message.
  static func stop(at declaration: Declaration, _ path: [ProviderInfo]) throws -> Never {
    let error = ProviderCycleError(path: path + path.prefix(1))
    guard declaration.kind == .throwing || declaration.kind == .async else { fatalError(error.description) }
    throw error
  }

  /// Stops the program after an unexpected error: the builder cannot throw, and `stop` ends the program at a cycle.
  @inline(never)
  static func fail(_ declaration: Declaration, _ error: any Error) -> Never {
    fatalError(Failure.threw(declaration, error))
  }

  /// Copies the cached instance of a provider; never builds.
  ///
  /// A lookup in a builder that finds no instance is recorded as a deferred dependency, since an instance may exist later.
  @inline(never)
  static func cachedValue<Value>(_ declaration: Declaration, in pod: Pod) -> Value? {
    let asking = Build.beginRequest(resolvingIn: pod)
    defer { asking?.endRequest() }
    return withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) { memory in
      let memory = memory.baseAddress.unsafelyUnwrapped
      if Build.sharedInstance(of: declaration, in: pod, into: memory) != nil { return memory.move() }
      let request = Request(declaration, of: pod)
      if case .ready = request.answer(into: UnsafeMutableRawPointer(memory), mayBuild: false) { return memory.move() }
      request.recordQuestion()
      return nil
    }
  }

  /// Whether a resolve would give a cached instance.
  ///
  /// Records nothing.
  static func isCached(_ declaration: Declaration, in pod: Pod) -> Bool {
    let request = Request(declaration, of: pod, to: .look)
    guard request.use == .cached else { return false }
    if case .ready = request.answer(into: nil, mayBuild: false) { return true }
    return false
  }
}

extension Request {
  /// Records the request as a deferred dependency of the dependent build.
  ///
  /// `lazyPod`: the pod in which a `Lazy` caches its value.
  func recordQuestion(through lazyPod: PodState? = nil) {
    guard let recorder = caller.recorder else { return }
    recorder.record(Question(declaration, definition, askedOf: nil, through: lazyPod), from: context)
  }
}
