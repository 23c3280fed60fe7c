/// A value that no pod caches any longer.
enum EndedValue: Sendable {
  /// A value with the declaration that stored it.
  case owned(StoredValue, Declaration)
  /// The weak reference of an instance.
  case weak(StoredValue)
  /// A value that belongs to a constant override, which is retained here.
  case borrowed(Override)

  /// Releases the value, on the main actor if it was built there.
  ///
  /// Called without a lock: it may run a `deinit`.
  func release() {
    switch self {
    case .owned(let value, let declaration): declaration.release(value)
    case .weak(let reference): reference.releaseReference()
    case .borrowed: break
    }
  }
}
