/// An error, and the provider whose builder threw it.
final class ErrorOrigin: Sendable {
  private let error: Reference
  private let named: NamedProvider
  var provider: ProviderInfo { named.info }

  /// A structure, since a generic function would open the box of an error.
  private struct Reference { let error: any Error }

  init(_ error: any Error, thrownBy provider: NamedProvider) {
    self.error = Reference(error: error)
    named = provider
  }

  /// Whether an error is this same error, passed on, and not another error with an equal value.
  func isOrigin(of other: any Error) -> Bool {
    // Safe: an `any Error` is one reference to a box, which `throw` and `try` pass on. The bits are only compared.
    unsafeBitCast(error, to: UInt.self) == unsafeBitCast(Reference(error: other), to: UInt.self)
  }
}

/// The latest origin of an error that a task received.
final class ErrorOrigins: @unchecked Sendable {
  // Safe: guarded by `lock`.
  private let lock = Lock()
  private var latest: ErrorOrigin?

  func note(_ origin: ErrorOrigin) {
    // Released without the lock: this may be the last reference to an error.
    let former = lock.withLock {
      defer { latest = origin }
      return latest
    }
    withExtendedLifetime(former) {}
  }

  func origin(of error: any Error) -> ErrorOrigin? {
    lock.withLock { latest }.flatMap { $0.isOrigin(of: error) ? $0 : nil }
  }
}

extension Request.Context {
  /// Records that a build failed, for the dependent build and for `prepare`.
  func recordFailure(of build: Build) {
    record(build.instance)
    guard let origin = build.lock.withLock({ build.errorOrigins.last }) else { return }
    caller.recorder?.noteError(origin)
    TaskContext.errorOrigins?.note(origin)
  }
}

extension Build {
  /// Notes the error of a build on which this build depends: the builder may throw the error later.
  func noteError(_ origin: ErrorOrigin) { lock.withLock { if !isSealed { errorOrigins.append(origin) } } }

  /// Makes this build the origin of a thrown error, unless the builder received the error from a dependency.
  func noteOrigin(of error: any Error) {
    let own = ErrorOrigin(error, thrownBy: named)
    // Released without the lock: these may be the last references to errors.
    let former = lock.withLock { () -> [ErrorOrigin] in
      let former = errorOrigins
      errorOrigins = [former.last { $0.isOrigin(of: error) } ?? own]
      return former
    }
    withExtendedLifetime(former) {}
  }
}
