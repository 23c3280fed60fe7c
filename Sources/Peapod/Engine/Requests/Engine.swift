/// The functions that the public interface calls to resolve.
enum Engine {
  /// Throws the error of a dependency cycle if the provider can throw, and otherwise stops the program with its message.
  static func stop(at declaration: Declaration, _ path: [Build]) throws -> Never {
    let error = ProviderCycleError(path: (path + path.prefix(1)).map(\.info))
    guard declaration.kind == .throwing || declaration.kind == .async else { fatalError(error.description) }
    throw error
  }

  /// Copies the cached instance of a provider; never builds.
  ///
  /// A lookup in a builder that finds no instance is recorded as a deferred dependency, since an instance may exist later.
  @inline(never)
  static func cachedValue<Value>(_ declaration: Declaration, in pod: Pod) -> Value? {
    let found = pod.readSlot(of: declaration)
    if !found.isNothing { return found.value.take(as: Value.self, isReference: declaration.isReference) }
    // Needs no owner of the scope, since nothing is built.
    let request = Request(declaration, of: pod, to: .deferral)
    if case .ready(_, let value) = request.answer(mayBuild: false) {
      return value.unsafelyUnwrapped.take(as: Value.self, isReference: declaration.isReference)
    }
    request.recordQuestion()
    return nil
  }

  /// Whether a resolve would give a cached instance.
  ///
  /// Records nothing.
  static func isCached(_ declaration: Declaration, in pod: Pod) -> Bool {
    let request = Request(declaration, of: pod, to: .look)
    return request.use == .cached && request.cachedInstance() != nil
  }
}

extension Request {
  /// The cached instance that answers the request, if there is one.
  func cachedInstance() -> Instance? {
    guard case .ready(let instance, let value) = answer(copiesValue: false, mayBuild: false) else { return nil }
    if let value { declaration.release(value) }
    return instance
  }

  /// Records the request as a deferred dependency of the dependent build.
  ///
  /// `lazyPod`: the pod in which a `Lazy` caches its value.
  func recordQuestion(through lazyPod: PodState? = nil) {
    guard let recorder = caller.recorder else { return }
    let members = view.memberOverrides(of: declaration)
    recorder.record(Question(declaration, definition, members, askedOf: nil, through: lazyPod), from: context)
  }
}
