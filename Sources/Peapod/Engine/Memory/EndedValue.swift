/// A value that no pod caches any longer, with the data that its release needs.
struct EndedValue: @unchecked Sendable {
  // Safe: constants. Values of main-actor providers are released on the main actor alone.
  private let value: StoredValue
  /// The declaration of a boxed value, or the override that owns the value.
  private let owner: AnyObject
  private enum Kind { case reference, box, borrowed }
  private let kind: Kind
  private let isMainActor: Bool

  init(_ value: StoredValue, of declaration: Declaration) {
    self.value = value
    owner = declaration
    kind = declaration.isReference ? .reference : .box
    isMainActor = declaration.isMainActor
  }

  /// The weak reference of an instance.
  init(weak value: StoredValue) {
    self.value = value
    owner = Unmanaged<WeakReference>.fromOpaque(UnsafeRawPointer(bitPattern: value.word).unsafelyUnwrapped)
      .takeUnretainedValue()
    kind = .reference
    isMainActor = false
  }

  /// A value that belongs to a constant override, which this ended value retains.
  init(borrowedFrom override: Override) {
    value = StoredValue(word: 1)
    owner = override
    kind = .borrowed
    isMainActor = false
  }

  /// Releases the value, on the main actor if it was built there.
  ///
  /// Called without a lock: it may run a `deinit`.
  func release() {
    if isMainActor, !CurrentThread.isMain { releaseOnMainActor() } else { destroy() }
  }

  private func releaseOnMainActor() {
    Task { @MainActor in destroy() }
  }

  func destroy() {
    switch kind {
    case .reference: value.releaseReference()
    // Safe: the owner of a boxed value is its declaration, which boxed it.
    case .box: unsafeDowncast(owner, to: Declaration.self).destroyBox(value)
    case .borrowed: break
    }
  }
}
