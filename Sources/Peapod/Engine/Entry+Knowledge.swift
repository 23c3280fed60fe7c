extension Entry {
  /// Whether the value was given and not built, so that it is not disposed.
  var isGiven: Bool { override?.isGiven ?? false }
  /// Whether a value that it keeps is the override's own, which it only uses.
  @inline(__always)
  func isLent(_ value: StoredValue) -> Bool { override?.with { $0.lent == value.word } ?? false }
  var scope: ScopeIdentity { override?.object.ownScope ?? declaration.scope }
  var info: ProviderInfo { ProviderInfo(declaration, scope: scope) }

  /// Whether it is of a provider.
  @inline(__always)
  func isOf(_ other: Declaration) -> Bool {
    unmanagedDeclaration.toOpaque() == Unmanaged.passUnretained(other).toOpaque()
  }

  /// Whether its provider can no longer be named.
  var isOfGhost: Bool { withDeclaration { $0.isGhost } }

  /// Whether it is of the same provider as another.
  @inline(__always)
  func isSibling(of other: Entry) -> Bool {
    unmanagedDeclaration.toOpaque() == other.unmanagedDeclaration.toOpaque()
  }

  /// Whether an override built it, or with `nil` the declaration's own builder.
  @inline(__always)
  func isMade(by other: Override.Pointer?) -> Bool { override == other }

  /// Whether the same override built it as another, or neither was built by one.
  @inline(__always)
  func isMade(as other: Entry) -> Bool { override == other.override }

  /// Whether this record of a provider, or one behind it, was made by an override, or with `nil` by the declaration's own builder.
  @inline(__always)
  func isAnyMade(by other: Override.Pointer?) -> Bool {
    var record: Entry? = self
    while let current = record {
      if current.isMade(by: other) { return true }
      record = current.next
    }
    return false
  }

  /// Whether its layer has no other record of the provider that was made in the same way.
  @inline(__always)
  func isAlone(as declaration: Declaration) -> Bool {
    guard isListed, layer.records(of: declaration) == self else { return false }
    guard let next else { return true }
    return !next.isAnyMade(by: override)
  }

  /// Whether the instance exists.
  ///
  /// A weak one may have gone.
  ///
  /// Looking at a weak reference retains the instance for a moment, and the release may be the last one: it is left to
  /// the aftermath.
  func isLive(_ aftermath: inout Aftermath) -> Bool {
    guard state == .kept else { return false }
    if value != nil { return true }
    guard let object = weakObject else { return false }
    aftermath.release(.passRetained(object))
    return true
  }

  /// Whether it stays in its table when nothing is kept any longer, for what it tells of the provider.
  var isRemembered: Bool {
    isListed && !isForgotten && !has(.isOverridden) && withDeclaration { !$0.isGhost && $0.family == nil }
  }

  /// Whether it is there only for what depends on it.
  var isLeftOver: Bool { state == .promised || (state == .record && !isRemembered) }

  /// Whether it may go with what depends on it.
  var isLoose: Bool { isLeftOver && !isLingering }
}
