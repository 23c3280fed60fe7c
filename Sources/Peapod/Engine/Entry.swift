/// One instance that a layer keeps, and what is known of it: a node of the recorded graph.
///
/// Entries lead to each other in all directions, and each step of a resolve passes several. So this is the address of a
/// record that is freed by hand, and not a reference that is counted: an entry lives until it is `gone`, and then until
/// the lock is let go and nobody holds it (`hold()`). Nothing leads to an entry that is gone but what holds it.
struct Entry: Hashable, @unchecked Sendable {
  // Safe: the record is read and written under the engine's lock alone, but for what is constant, and for the value of an
  // entry that is being disposed, which is its disposer's.

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
    /// In no table, without edges. Final.
    case gone
  }

  /// What an instance was built from.
  struct Dependency: ShortListElement {
    let entry: Entry
    private(set) var number: UInt32

    var word: UInt { entry.word }

    init(word: UInt, number: UInt32) { (entry, self.number) = (Entry(word: word, number: 0), number) }

    init(entry: Entry, position: Int, isDeferred: Bool, hasHandle: Bool, isForeign: Bool) {
      (self.entry, number) = (entry, UInt32(position) << 3)
      (self.isDeferred, self.hasHandle, self.isForeign) = (isDeferred, hasHandle, isForeign)
    }

    /// Where the dependency lists this entry among its dependents.
    var position: Int {
      get { Int(number >> 3) }
      set { number = UInt32(newValue) << 3 | number & 7 }
    }

    /// Made by a handle alone.
    var isDeferred: Bool {
      get { has(1) }
      set { set(1, newValue) }
    }

    /// Made by a handle too, which may come to lead elsewhere.
    var hasHandle: Bool {
      get { has(2) }
      set { set(2, newValue) }
    }

    /// Asked of another pod than the build's own, so that pods below the build's ask there too.
    var isForeign: Bool {
      get { has(4) }
      set { set(4, newValue) }
    }

    private func has(_ bit: UInt32) -> Bool { number & bit != 0 }
    private mutating func set(_ bit: UInt32, _ isSet: Bool) { number = isSet ? number | bit : number & ~bit }
  }

  /// What was built from an instance.
  struct Dependent: ShortListElement {
    let entry: Entry
    private(set) var number: UInt32

    var word: UInt { entry.word }

    init(word: UInt, number: UInt32) { (entry, self.number) = (Entry(word: word, number: 0), number) }
    init(entry: Entry, position: Int) { (self.entry, number) = (entry, UInt32(position)) }

    /// Where the dependent lists this entry among its dependencies.
    var position: Int {
      get { Int(number) }
      set { number = UInt32(newValue) }
    }
  }

  /// What is true of it, in the lower bits of a word; above them lie the fields.
  struct Flags: OptionSet {
    let rawValue: UInt32
    static let isPublished = Flags(rawValue: 1 << 0)
    static let isListed = Flags(rawValue: 1 << 1)
    static let ranOnMain = Flags(rawValue: 1 << 2)
    static let isOverdue = Flags(rawValue: 1 << 3)
    static let asksElsewhere = Flags(rawValue: 1 << 4)
    static let mayBeCaptor = Flags(rawValue: 1 << 5)
    static let isForgotten = Flags(rawValue: 1 << 6)
    static let isInUse = Flags(rawValue: 1 << 7)
    static let isLingering = Flags(rawValue: 1 << 8)
    static let hasReaders = Flags(rawValue: 1 << 9)
    static let keepsDeclaration = Flags(rawValue: 1 << 10)
    static let keepsLayer = Flags(rawValue: 1 << 11)
    static let isEntering = Flags(rawValue: 1 << 12)
    /// The content is the build.
    static let isBuilding = Flags(rawValue: 1 << 13)
    /// The rest is the address of the details.
    static let hasDetails = Flags(rawValue: 1 << 14)
    static let isDeserted = Flags(rawValue: 1 << 15)
    static let isSuspect = Flags(rawValue: 1 << 16)
    /// What makes it is an override.
    static let isOverridden = Flags(rawValue: 1 << 17)
  }

  /// A small number in the bits of the word of flags that these leave: the first of these bits.
  enum Field: UInt32 {
    case state = 18
    case stock = 21
    case scopeKind = 24
    case holds = 27

    /// The bits below the fields.
    static var flagBits: UInt32 { 1 << Field.state.rawValue - 1 }

    /// The largest number that it takes.
    var limit: UInt32 { self == .holds ? 31 : 7 }
  }

  /// The record, in an order that leaves no gaps: there is one for each instance.
  struct Storage {
    /// The override that makes it, or else the provider's declaration.
    var maker: Unmanaged<Definition>
    var layer: Layer
    var next: Entry?
    /// The word of the value, zero for none; while it is being built, the address of the build.
    var content: UInt = 0
    var serial: UInt64 = 0
    var mask: UInt64
    /// The times of the last build, or the address of the details.
    var rest: UInt64 = 0
    // Each list leaves room for the word behind it.
    var dependencies = ShortList<Dependency>()
    var flags: Flags
    var dependents = ShortList<Dependent>()
    var buildCount: Int32 = 0
  }

  /// What few entries have.
  final class Details {
    var times: Times
    /// The provider, where what makes it is no override of this very one.
    var declaration: Unmanaged<Declaration>?
    weak var weakObject: AnyObject?
    var blocked: [Entry] = []
    var blockers = 0
    var teardowns: [Teardown] = []

    init(_ times: Times) { self.times = times }
  }

  let storage: UnsafeMutablePointer<Storage>

  /// `override`: what builds it; `nil` for the declaration's own builder.
  static func make(_ declaration: Declaration, _ override: Override.Pointer?, in layer: Layer, state: State) -> Entry {
    var mask = declaration.bit | (override?.ownBit ?? declaration.scopeBit)
    var flags: Flags = []
    if let family = declaration.family {
      mask |= family.bit
      if family.isNamed {
        flags = .keepsDeclaration
        _ = Unmanaged.passRetained(declaration)
      }
    }
    let maker: Unmanaged<Definition>
    if let override {
      maker = .fromOpaque(override.unmanaged.retain().toOpaque())
      flags.insert(.isOverridden)
    } else {
      maker = .passUnretained(declaration)
    }
    let entry = Entry(storage: EntryPool.take())
    entry.storage.initialize(to: Storage(maker: maker, layer: layer, mask: mask, flags: flags))
    entry.state = state
    entry[.stock] = 1
    entry[.scopeKind] = UInt32((override?.ownKind ?? declaration.scopeKind).rawValue)
    if let override, override.with({ $0.target !== declaration }) { entry.setDeclaration(.passUnretained(declaration)) }
    return entry
  }

  /// Lets go what the record keeps, so that it may be freed.
  ///
  /// Called when it is gone, with the lock let go and nobody left who holds it.
  func letGoAll() {
    assert(state == .gone && self[.holds] == 0 && value == nil)
    assert(dependencies.isEmpty && dependents.isEmpty, "an entry goes after its edges")
    storage.pointee.dependencies.free()
    storage.pointee.dependents.free()
    if has(.keepsDeclaration) { unmanagedDeclaration.release() }
    if has(.isOverridden) { storage.pointee.maker.release() }
    knownDetails?.release()
  }
}

// MARK: - Lifetime

extension Entry {
  /// Lets the record stay although the entry may be gone.
  func hold() {
    precondition(self[.holds] < Field.holds.limit, "few hold a record")
    self[.holds] += 1
  }

  /// Ends a hold.
  func letGo(_ aftermath: inout Aftermath) {
    self[.holds] -= 1
    if state == .gone, self[.holds] == 0 { aftermath.free(self) }
  }

  /// Ends the entry.
  func end(_ aftermath: inout Aftermath) {
    state = .gone
    releaseLayer(&aftermath)
    if self[.holds] == 0 { aftermath.free(self) } else { leave(&aftermath) }
  }

  /// Lets go at once what is the user's, where the record itself has to stay for those who hold it.
  private func leave(_ aftermath: inout Aftermath) {
    // Safe: both were retained for the record, which is gone, so that nobody asks it for them again.
    let declaration = unmanagedDeclaration
    if has(.keepsDeclaration) { aftermath.release(declaration) }
    set(.keepsDeclaration, false)
    guard has(.isOverridden) else { return }
    aftermath.release(storage.pointee.maker)
    set(.isOverridden, false)
    setDeclaration(declaration)
  }

  /// Keeps the layer until the instance is disposed, and if it is in no table, to the end: its pod may go, or have gone.
  func keepLayer() {
    guard !has(.keepsLayer) else { return }
    set(.keepsLayer, true)
    layer.retain()
  }

  /// Stops keeping the layer.
  func releaseLayer(_ aftermath: inout Aftermath) {
    guard has(.keepsLayer) else { return }
    set(.keepsLayer, false)
    aftermath.release(layer.retained)
  }

  /// Goes on without its declaration, which is about to end.
  func outlive(_ ghost: Declaration) {
    // Were it kept, it would not end.
    assert(!has(.keepsDeclaration))
    setDeclaration(.passRetained(ghost))
    set(.keepsDeclaration, true)
  }

  /// Makes sure that this can do without its declaration.
  func keepDescription() {
    if !has(.keepsDeclaration) { outlive(declaration.ghost()) }
  }

  /// Stops keeping its declaration alive; returns it, still retained, to be released without a lock.
  func releaseDeclaration() -> Unmanaged<Declaration>? {
    guard has(.keepsDeclaration), !declaration.isGhost else { return nil }
    set(.keepsDeclaration, false)
    // Safe: retained when that was set.
    return unmanagedDeclaration
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
}

// MARK: - In lists

extension Entry: ShortListElement {
  var word: UInt { UInt(bitPattern: storage) }
  var number: UInt32 { 0 }

  init(word: UInt, number: UInt32) {
    // Safe: only what `word` gave is kept as such.
    storage = UnsafeMutablePointer(bitPattern: word).unsafelyUnwrapped
  }
}
