/// One instance that a layer keeps, and what is known of it: a node of the recorded graph.
final class Entry: @unchecked Sendable {
  // Safe: mutable state is read and written under the engine's lock alone.

  enum State: UInt8 {
    /// Depended on by a handle, never asked for. Next: building, record.
    case promised
    /// Being built. Next: kept, record, or gone when the build failed.
    case building
    /// Kept by its layer. Next: dying, record.
    case kept
    /// No longer kept; its hook is due or running. Next: record.
    case dying
    /// Keeps nothing: a transient, or what is remembered of an instance that went. Next: gone.
    case record
    /// In no table. Final.
    case gone
  }

  struct Dependency {
    let entry: Entry
    /// Where the dependency lists this entry among its dependents.
    var position: Int32
    /// Made by a handle.
    var isDeferred: Bool
    /// Asked of another pod than the build's own, so that pods below the build's ask there too.
    var isForeign: Bool
  }

  struct Dependent {
    unowned(unsafe) let entry: Entry
    /// Where the dependent lists this entry among its dependencies.
    var position: Int32
  }

  /// The override that built it, or `nil` for the declaration's own builder.
  let override: Override?
  private(set) unowned(unsafe) var declaration: Declaration
  /// Set where the entry keeps its declaration alive: members of a family that has a name, and ghosts.
  private var retained: Declaration?
  let scope: ScopeIdentity
  /// Whether it is for one outermost resolve alone.
  let isGraphScoped: Bool
  /// The layer in which the instance lives.
  unowned(unsafe) var layer: Layer
  var value: StoredValue?
  /// The next record of the same provider in the same layer, made another way.
  var next: Entry?
  /// The instance of a weak scope.
  weak var weakObject: AnyObject?
  var state: State
  /// In the slot table of its root, and so known to be what the root answers.
  var isPublished = false
  /// How many references readers were last given in advance.
  var stock = 4
  /// In its layer's table, or among its ghosts.
  var isListed = false
  /// Larger than that of everything it was built from: counts finished builds.
  var serial: UInt64 = 0
  private(set) var dependencies = ShortList<Dependency>()
  private(set) var dependents = ShortList<Dependent>()
  /// The build that makes it, while there is one.
  unowned(unsafe) var build: Build?
  /// Bits of all that it was built from, itself included.
  ///
  /// A layer that changes none of them changes nothing here.
  private(set) var mask: UInt64
  var buildCount = 0
  var inclusive: Duration = .zero
  var exclusive: Duration = .zero
  var ranOnMain = false
  /// How many of its dependents must be disposed before it.
  var blockers = 0
  /// What waits for its disposal.
  var blocked: [Entry] = []
  /// Whether a teardown came to it before its dependents were done, so that the last of these goes on with it.
  var isOverdue = false
  /// Whether it was built from something that another pod was asked for: what the layers above change is not all that
  /// matters then.
  private(set) var asksElsewhere = false
  /// Whether it may have been built from something that is kept for less long.
  var mayBeCaptor = false
  /// Whether nothing is to be remembered of it.
  var isForgotten = false
  /// Whether it belongs to one use of `withInstance` or `isolated`, which disposes it.
  var isInUse = false
  /// Whether its layer keeps it although its provider has gone.
  var isLingering = false
  /// Whether readers were in its slot when it was taken out.
  var hasReaders = false
  /// Keeps the layer until the instance is disposed: its pod may have gone.
  var dyingIn: Layer?
  /// Those who wait for the end of its disposal.
  var teardown: Teardown?

  init(
    _ declaration: Declaration, _ definition: Definition, _ scope: ScopeIdentity, in layer: Layer, state: State
  ) {
    self.declaration = declaration
    self.scope = scope
    isGraphScoped = scope.kind == .graph
    override = definition.override
    self.layer = layer
    self.state = state
    mask = Entry.bit(of: declaration) | Entry.bit(of: scope)
    if let family = declaration.family {
      mask |= Entry.bit(of: family)
      if family.isNamed { retained = declaration }
    }
  }

  deinit {
    assert(dependencies.isEmpty, "an entry goes after its edges, which are not retained from the other end")
  }
}

extension Entry.Dependency {
  /// Whether this leads to what is gone, where another leads to an instance of the same provider, or of the same family.
  func isOutlived(by other: Entry.Dependency) -> Bool {
    guard entry.state == .record, isDeferred == other.isDeferred, isForeign == other.isForeign else { return false }
    if entry.declaration === other.entry.declaration { return true }
    guard let family = entry.declaration.family else { return false }
    return family === other.entry.declaration.family
  }
}

extension Entry {
  var definition: Definition { override ?? declaration }
  /// Whether its layer has no other record of the provider.
  var isAlone: Bool { isListed && next == nil && layer.records(of: declaration) === self }
  var info: ProviderInfo { ProviderInfo(declaration, scope: scope) }

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
    aftermath.work.trash.append(object)
    return true
  }

  /// Whether it stays in its table when nothing is kept any longer, for what it tells of the provider.
  var isRemembered: Bool {
    isListed && !isForgotten && override == nil && !declaration.isGhost && declaration.family == nil
  }

  /// Whether it is there only for what depends on it.
  var isLeftOver: Bool { state == .promised || (state == .record && !isRemembered) }

  static func bit(of object: AnyObject) -> UInt64 {
    let address = UInt(bitPattern: ObjectIdentifier(object).hashValue)
    return 1 << UInt64((UInt64(address) &* 0x9E37_79B9_7F4A_7C15) >> 58)
  }

  /// Goes on without its declaration, which is about to end.
  func outlive(_ ghost: Declaration) {
    declaration = ghost
    retained = ghost
  }

  /// Leaves its layer's table if it is in there.
  ///
  /// The layer of one that is not may be gone.
  func delist() {
    guard isListed else { return }
    // Another provider may get the index, and with it the slot.
    layer.unpublish(self)
    layer.remove(self)
  }

  /// Leaves its layer's table, and with that whoever would tell it that its declaration ends.
  func unlist() {
    delist()
    keepDescription()
  }

  /// Makes sure that this can do without its declaration.
  func keepDescription() {
    if retained == nil { outlive(declaration.ghost()) }
  }

  /// Stops keeping its declaration alive; returns it, to be released without a lock.
  func releaseDeclaration() -> Declaration? {
    guard let kept = retained, !kept.isGhost else { return nil }
    retained = nil
    return kept
  }
}

// MARK: - Edges

extension Entry {
  /// Records that this was built from another entry.
  ///
  /// - Complexity: O(the smaller of the two numbers of edges).
  func depend(on other: Entry, isDeferred: Bool, isForeign: Bool) {
    guard other !== self else { return }
    widen(other.mask)
    if isForeign || other.asksElsewhere { noteElsewhere() }
    if dependencies.count <= other.dependents.count {
      if let known = dependencies.firstIndex(where: { $0.entry === other }) {
        return note(known, isDeferred: isDeferred, isForeign: isForeign)
      }
    } else if let known = other.dependents.first(where: { $0.entry === self }) {
      return note(Int(known.position), isDeferred: isDeferred, isForeign: isForeign)
    }
    dependencies.append(
      Dependency(
        entry: other, position: Int32(other.dependents.count), isDeferred: isDeferred, isForeign: isForeign))
    other.dependents.append(Dependent(entry: self, position: Int32(dependencies.count - 1)))
    noteScope(of: other, isDeferred: isDeferred)
  }

  /// Notes whether a dependency, or what that was built from, may be cleared before this is.
  private func noteScope(of other: Entry, isDeferred: Bool) {
    guard !isDeferred, other.scope !== scope else { return }
    if other.scope.kind == .custom || other.scope.kind == .alwaysCreateNew { mayBeCaptor = true }
  }

  /// Adds bits to what this was built from, and to all that was built from it.
  private func widen(_ bits: UInt64) {
    guard mask | bits != mask else { return }
    mask |= bits
    guard !dependents.isEmpty else { return }
    // Something that others hold a handle of turns out to be built from more: who saw them looks again.
    layer.root.forgetVerified()
    var rest = dependents.map(\.entry)
    while let entry = rest.popLast() {
      guard entry.mask | bits != entry.mask else { continue }
      entry.mask |= bits
      rest.append(contentsOf: entry.dependents.map(\.entry))
    }
  }

  /// Notes that this, and with it all that was built from it, depends on what another pod answers.
  private func noteElsewhere() {
    var rest = [self]
    while let entry = rest.popLast() {
      guard !entry.asksElsewhere else { continue }
      entry.asksElsewhere = true
      for dependent in entry.dependents { rest.append(dependent.entry) }
    }
  }

  private func note(_ index: Int, isDeferred: Bool, isForeign: Bool) {
    if !isDeferred { dependencies[index].isDeferred = false }
    noteScope(of: dependencies[index].entry, isDeferred: isDeferred)
    if !isForeign { dependencies[index].isForeign = false }
  }

  /// Forgets an edge.
  ///
  /// Returns the dependency, to be released without a lock.
  func stopDepending(at index: Int) -> Entry {
    let edge = dependencies[index]
    let lastDependent = edge.entry.dependents.removeLast()
    if edge.position < edge.entry.dependents.count {
      edge.entry.dependents[Int(edge.position)] = lastDependent
      lastDependent.entry.dependencies[Int(lastDependent.position)].position = edge.position
    }
    let last = dependencies.removeLast()
    if index < dependencies.count {
      dependencies[index] = last
      last.entry.dependents[Int(last.position)].position = Int32(index)
    }
    return edge.entry
  }

  /// Leads the handles that others hold of this to another entry.
  func moveHandles(to other: Entry) {
    guard !dependents.isEmpty else { return }
    for position in dependents.indices.reversed() {
      let holder = dependents[position].entry
      let edge = holder.dependencies[Int(dependents[position].position)]
      guard edge.isDeferred, holder.state != .dying, holder !== other else { continue }
      _ = holder.stopDepending(at: Int(dependents[position].position))
      holder.depend(on: other, isDeferred: true, isForeign: edge.isForeign)
    }
  }

  /// Forgets the edge to another entry, if there is one.
  func stopDepending(on other: Entry) {
    guard let index = dependencies.firstIndex(where: { $0.entry === other }) else { return }
    _ = stopDepending(at: index)
  }
}
