extension Entry {
  func has(_ flag: Flags) -> Bool { storage.pointee.flags.contains(flag) }

  func set(_ flag: Flags, _ isSet: Bool) {
    if isSet { storage.pointee.flags.insert(flag) } else { storage.pointee.flags.remove(flag) }
  }

  /// A small number beside the flags.
  subscript(field: Field) -> UInt32 {
    @inline(__always) get { storage.pointee.flags.rawValue >> field.rawValue & field.limit }
    @inline(__always) nonmutating set {
      assert(newValue <= field.limit, "the numbers beside the flags are small")
      let others = storage.pointee.flags.rawValue & ~(field.limit << field.rawValue)
      storage.pointee.flags = Flags(rawValue: others | newValue << field.rawValue)
    }
  }

  /// What few entries have, where this one has it.
  var knownDetails: Unmanaged<Details>? {
    guard has(.hasDetails), let address = UnsafeRawPointer(bitPattern: UInt(storage.pointee.rest)) else { return nil }
    // Safe: retained when its address was stored.
    return .fromOpaque(address)
  }

  private var details: Details {
    if let knownDetails { return knownDetails.takeUnretainedValue() }
    let made = Details(times)
    storage.pointee.rest = UInt64(UInt(bitPattern: Unmanaged.passRetained(made).toOpaque()))
    set(.hasDetails, true)
    return made
  }

  // Safe: the declaration of an entry stays as long as the entry: one that ends before leaves a ghost in its place.
  var declaration: Declaration { unmanagedDeclaration.takeUnretainedValue() }

  /// Calls the body with the declaration, without counting a reference.
  @inline(__always)
  func withDeclaration<Result>(_ body: (Declaration) throws -> Result) rethrows -> Result {
    try unmanagedDeclaration._withUnsafeGuaranteedRef(body)
  }

  // Safe: the maker is an override where the flag says so, and else the declaration.

  @inline(__always)
  var unmanagedDeclaration: Unmanaged<Declaration> {
    guard let override else { return storage.pointee.maker.as(Declaration.self) }
    return knownDetails?._withUnsafeGuaranteedRef { $0.declaration } ?? override.target
  }

  /// Says whose record this is, retained or not as `keepsDeclaration` says.
  func setDeclaration(_ declaration: Unmanaged<Declaration>) {
    if has(.isOverridden) {
      details.declaration = declaration
    } else {
      storage.pointee.maker = declaration.as(Definition.self)
    }
  }

  // Safe: retained by the record.
  /// The override that built it, or `nil` for the declaration's own builder.
  @inline(__always)
  var override: Override.Pointer? {
    has(.isOverridden) ? Override.Pointer(at: storage.pointee.maker.toOpaque()) : nil
  }

  /// The layer in which the instance lives.
  var layer: Layer {
    get { storage.pointee.layer }
    nonmutating set { storage.pointee.layer = newValue }
  }

  /// The next record of the same provider in the same layer, made another way.
  var next: Entry? {
    get { storage.pointee.next }
    nonmutating set { storage.pointee.next = newValue }
  }

  /// The value, where there is one; not while it is being built.
  var value: StoredValue? {
    get { storage.pointee.content == 0 || has(.isBuilding) ? nil : StoredValue(word: storage.pointee.content) }
    nonmutating set { storage.pointee.content = newValue?.word ?? 0 }
  }

  /// The build that makes it, while there is one; it has no value then.
  var build: Build? {
    get { has(.isBuilding) ? Build(at: storage.pointee.content) : nil }
    nonmutating set {
      assert(value == nil, "what is built has no value")
      storage.pointee.content = newValue?.address ?? 0
      set(.isBuilding, newValue != nil)
    }
  }

  /// The instance of a weak scope.
  var weakObject: AnyObject? {
    get { knownDetails?._withUnsafeGuaranteedRef { $0.weakObject } }
    nonmutating set { details.weakObject = newValue }
  }

  /// What waits for its disposal.
  var blocked: [Entry] {
    get { knownDetails?._withUnsafeGuaranteedRef { $0.blocked } ?? [] }
    nonmutating _modify { yield &details.blocked }
  }

  var hasBlocked: Bool { knownDetails?._withUnsafeGuaranteedRef { !$0.blocked.isEmpty } ?? false }

  /// Those who wait for the end of its disposal.
  var teardowns: [Teardown] {
    get { knownDetails?._withUnsafeGuaranteedRef { $0.teardowns } ?? [] }
    nonmutating set { if has(.hasDetails) || !newValue.isEmpty { details.teardowns = newValue } }
  }

  /// Larger than that of everything it was built from: counts finished builds.
  var serial: UInt64 {
    get { storage.pointee.serial }
    nonmutating set { storage.pointee.serial = newValue }
  }

  /// Bits of all that it was built from, itself included.
  ///
  /// A layer that changes none of them changes nothing here.
  var mask: UInt64 {
    get { storage.pointee.mask }
    nonmutating set { storage.pointee.mask = newValue }
  }

  var dependencies: ShortList<Dependency> {
    get { storage.pointee.dependencies }
    nonmutating _modify { yield &storage.pointee.dependencies }
  }

  var dependents: ShortList<Dependent> {
    get { storage.pointee.dependents }
    nonmutating _modify { yield &storage.pointee.dependents }
  }

  private var times: Times {
    if let knownDetails { return knownDetails._withUnsafeGuaranteedRef { $0.times } }
    return Times(bits: storage.pointee.rest)
  }

  var inclusive: Duration { .nanoseconds(Int64(times.inclusive)) }
  var exclusive: Duration { .nanoseconds(Int64(times.exclusive)) }

  /// Notes that a build is over, and how long it took, in nanoseconds.
  func noteBuild(inclusive: Int64, exclusive: Int64, onMain isOnMain: Bool, _ serial: UInt64) {
    self.serial = serial
    buildCount += 1
    ranOnMain = isOnMain
    let times = Times(inclusive: Float(inclusive), exclusive: Float(exclusive))
    if let knownDetails {
      knownDetails._withUnsafeGuaranteedRef { $0.times = times }
    } else {
      storage.pointee.rest = times.bits
    }
  }

  var buildCount: Int {
    get { Int(storage.pointee.buildCount) }
    nonmutating set { storage.pointee.buildCount = Int32(truncatingIfNeeded: newValue) }
  }

  /// How many of its dependents must be disposed before it.
  var blockers: Int {
    get { knownDetails?._withUnsafeGuaranteedRef { $0.blockers } ?? 0 }
    nonmutating set { details.blockers = newValue }
  }

  /// How many references readers were last given in advance: 4, 16, and so on up to 1,024.
  var stock: Int { 1 << (2 * Int(self[.stock])) }
  func raiseStock() { self[.stock] = min(self[.stock] + 1, 5) }

  // Safe: each field holds what was last set, which was the raw value of a case: a byte, and how the case itself is kept.

  var state: State {
    @inline(__always) get { unsafeBitCast(UInt8(truncatingIfNeeded: self[.state]), to: State.self) }
    @inline(__always) nonmutating set { self[.state] = UInt32(newValue.rawValue) }
  }

  var scopeKind: ScopeIdentity.Kind {
    @inline(__always) get { unsafeBitCast(UInt8(truncatingIfNeeded: self[.scopeKind]), to: ScopeIdentity.Kind.self) }
  }

  /// Whether it is for one outermost resolve alone.
  @inline(__always)
  var isGraphScoped: Bool { scopeKind == .graph }

  /// In the slot table of its root, and so known to be what the root answers.
  var isPublished: Bool {
    get { has(.isPublished) }
    nonmutating set { set(.isPublished, newValue) }
  }

  /// In its layer's table, or among its ghosts.
  var isListed: Bool {
    get { has(.isListed) }
    nonmutating set { set(.isListed, newValue) }
  }

  var ranOnMain: Bool {
    get { has(.ranOnMain) }
    nonmutating set { set(.ranOnMain, newValue) }
  }

  /// Whether a teardown came to it before its dependents were done, so that the last of these goes on with it.
  var isOverdue: Bool {
    get { has(.isOverdue) }
    nonmutating set { set(.isOverdue, newValue) }
  }

  /// Whether it was built from something that another pod was asked for: what the layers above change is not all that
  /// matters then.
  var asksElsewhere: Bool {
    get { has(.asksElsewhere) }
    nonmutating set { set(.asksElsewhere, newValue) }
  }

  /// Whether it may have been built from something that is kept for less long.
  var mayBeCaptor: Bool {
    get { has(.mayBeCaptor) }
    nonmutating set { set(.mayBeCaptor, newValue) }
  }

  /// Whether the teardown that takes it out is just finding out who waits for whom.
  var isEntering: Bool {
    get { has(.isEntering) }
    nonmutating set { set(.isEntering, newValue) }
  }

  /// Whether nothing is to be remembered of it.
  var isForgotten: Bool {
    get { has(.isForgotten) }
    nonmutating set { set(.isForgotten, newValue) }
  }

  /// Whether it belongs to one use of `withFreshInstance` or `perUse`, which disposes it.
  var isInUse: Bool {
    get { has(.isInUse) }
    nonmutating set { set(.isInUse, newValue) }
  }

  /// Whether its layer keeps it although its provider has gone.
  var isLingering: Bool {
    get { has(.isLingering) }
    nonmutating set { set(.isLingering, newValue) }
  }

  /// Whether nothing that is kept was built from it, nor will be: its provider has gone.
  var isDeserted: Bool {
    get { has(.isDeserted) }
    nonmutating set { set(.isDeserted, newValue) }
  }

  /// Whether it is noted as one that may be there only for a loop.
  var isSuspect: Bool {
    get { has(.isSuspect) }
    nonmutating set { set(.isSuspect, newValue) }
  }

  /// Whether readers were in its slot when it was taken out.
  var hasReaders: Bool {
    get { has(.hasReaders) }
    nonmutating set { set(.hasReaders, newValue) }
  }
}

extension Entry {
  /// How long a build took, in nanoseconds, to seven digits.
  struct Times {
    var inclusive: Float = 0
    var exclusive: Float = 0

    init(inclusive: Float, exclusive: Float) { (self.inclusive, self.exclusive) = (inclusive, exclusive) }

    init(bits: UInt64) {
      inclusive = Float(bitPattern: UInt32(truncatingIfNeeded: bits))
      exclusive = Float(bitPattern: UInt32(truncatingIfNeeded: bits >> 32))
    }

    /// Both in one word.
    var bits: UInt64 { UInt64(inclusive.bitPattern) | UInt64(exclusive.bitPattern) << 32 }
  }
}

extension Unmanaged {
  /// The same object as another type.
  ///
  /// Safe where it is known to have that type.
  @inline(__always)
  fileprivate func `as`<Other: AnyObject>(_ type: Other.Type) -> Unmanaged<Other> { .fromOpaque(toOpaque()) }
}
