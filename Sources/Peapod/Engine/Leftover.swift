/// A value whose life ends, with what is needed for that.
///
/// It does without its declaration, which may be ending on another thread: that one waits for the lock and not for what
/// is done after it.
struct Leftover: @unchecked Sendable {
  // Safe: constants. Values of main-actor providers are released by main-actor code alone.
  private let value: StoredValue
  private let type: Declaration.Type
  private let isReference: Bool
  private let isMainActor: Bool

  init(_ value: StoredValue, of declaration: Declaration) {
    self.value = value
    type = Swift.type(of: declaration)
    isReference = declaration.isReference
    isMainActor = declaration.isMainActor
  }

  /// An override whose value somebody still looks at, kept for that.
  init(keeping override: Override.Pointer) {
    value = StoredValue(word: UInt(bitPattern: override.unmanaged.retain().toOpaque()))
    type = Declaration.self
    isReference = true
    isMainActor = false
  }

  /// Lets the value go, on the main actor where it was built there.
  ///
  /// Called without a lock.
  func release() {
    if isMainActor { releaseOnMainActor() } else { destroy() }
  }

  @inline(never)
  private func releaseOnMainActor() {
    if ThreadContext.isMain { destroy() } else { Task { @MainActor in destroy() } }
  }

  private func destroy() {
    if isReference { value.releaseReference() } else { type.destroyBox(value) }
  }
}
