import Synchronization

/// The slots and the instances of a root pod by the index of the declaration.
///
/// Slots, masks and the references beside them are read without a lock.
///
/// A chunk is allocated when one of its slots is first used, and is never moved. Readers write to slots, providers of one file are often
/// read together, and processors fetch lines in pairs. So the slots of successive providers lie two cache lines apart. Neither a chunk nor
/// the directory shares a cache line with other memory. Otherwise the users of an instance that is built at the same time would often slow
/// down all readers.
struct SlotTable: ~Copyable {
  // The memory that readers use is published by atomics and stays as long as the table. All other fields are used with the pod's lock held.

  private static let chunkBits: UInt32 = 7
  private static let chunkSize = 1 << Int(chunkBits)
  private static let slotBytes = MemoryLayout<Slot>.stride * chunkSize
  private static let instanceBytes = MemoryLayout<Instance?>.stride * chunkSize

  /// An array of its own length and then the addresses of the chunks; zero means no chunk.
  typealias Directory = UnsafeMutablePointer<Atomic<UInt>>
  private(set) var directory: Directory?
  private static let headerSize = 1
  /// Directories that were outgrown.
  ///
  /// Readers may still use these directories, so they are freed with the table.
  private var outgrown: [Directory] = []
  /// The addresses of the chunks in use.
  private var chunks: [UInt] = []

  init() {}

  deinit {
    for chunk in chunks {
      // Safe: made by `makeChunk`.
      SlotTable.instances(of: chunk).deinitialize(count: SlotTable.chunkSize)
      if let shares = SlotTable.shares(of: chunk) { shares.deallocate() }
      UnsafeMutableRawPointer(bitPattern: chunk).unsafelyUnwrapped.deallocate()
    }
    for directory in outgrown { directory.deallocate() }
    if let directory { directory.deallocate() }
  }

  /// The index of the provider with a number: chunk after chunk, in an order that separates successive providers.
  static func index(_ number: UInt32) -> UInt32 {
    let place = number & UInt32(chunkSize - 1)
    return number - place | (place & 7) << 4 | place & 8 | place >> 4
  }

  @inline(__always)
  private static func position(_ index: UInt32) -> Int { Int(index & UInt32(chunkSize - 1)) }

  private static func instances(of chunk: UInt) -> UnsafeMutablePointer<Instance?> {
    // Safe: the instances follow the slots in the chunk's memory.
    UnsafeMutableRawPointer(bitPattern: chunk + UInt(slotBytes)).unsafelyUnwrapped
      .assumingMemoryBound(to: Instance?.self)
  }

  /// The place in a chunk for the address of its shares.
  private static func shareAddress(of chunk: UInt) -> UnsafeMutablePointer<Atomic<UInt>> {
    // Safe: the address follows the instances in the chunk's memory.
    UnsafeMutableRawPointer(bitPattern: chunk + UInt(slotBytes + instanceBytes)).unsafelyUnwrapped
      .assumingMemoryBound(to: Atomic<UInt>.self)
  }

  /// The largest serial that `noteChangeable` has stored for a chunk; zero if there is none.
  private static func newestChange(of chunk: UInt) -> UnsafeMutablePointer<UInt64> {
    // Safe: the number follows the address of the shares in the chunk's memory.
    UnsafeMutableRawPointer(bitPattern: chunk + UInt(slotBytes + instanceBytes + MemoryLayout<Atomic<UInt>>.stride))
      .unsafelyUnwrapped.assumingMemoryBound(to: UInt64.self)
  }

  private static func shares(of chunk: UInt) -> UnsafeMutablePointer<Share>? {
    // Safe: only the address of an array that `setMask` made is stored there.
    UnsafeMutablePointer(bitPattern: shareAddress(of: chunk).pointee.load(ordering: .acquiring))
  }

  /// The data that child pods read beside the slot of a provider.
  struct Share: ~Copyable {
    /// The mask of the published instance.
    let mask = Atomic<UInt64>(0)
    /// A reference to the published instance itself, with a stock of its own, for builders that depend on the instance.
    let instance = Slot()
  }

  /// The share of a provider, if there is a mask; needs no lock.
  @inline(__always)
  static func share(_ index: UInt32, in directory: Directory) -> UnsafeMutablePointer<Share>? {
    let chunk = chunk(of: index, in: directory)
    return chunk == 0 ? nil : shares(of: chunk).map { $0 + position(index) }
  }

  /// The mask of a provider's instance; needs no lock.
  ///
  /// All bits are set where no mask is known.
  @inline(never)
  static func mask(_ index: UInt32, in directory: Directory) -> UInt64 {
    // Acquiring: a reader that sees a mask of `refreshMasks` sees that the epoch was withdrawn.
    share(index, in: directory)?.pointee.mask.load(ordering: .acquiring) ?? .max
  }

  /// The slot of a provider, or `nil` where it was never used; needs no lock.
  @inline(__always)
  static func slot(_ index: UInt32, in directory: Directory) -> UnsafeMutablePointer<Slot>? {
    // Safe: a chunk begins with its slots, and stays as long as the table.
    UnsafeMutableRawPointer(bitPattern: chunk(of: index, in: directory))?
      .assumingMemoryBound(to: Slot.self).advanced(by: position(index))
  }

  /// The address of the chunk that has the slot of a provider, or zero where there is none; needs no lock.
  @inline(__always)
  private static func chunk(of index: UInt32, in directory: Directory) -> UInt {
    let number = Int(index >> chunkBits)
    guard UInt(bitPattern: number) < directory[0].load(ordering: .relaxed) else { return 0 }
    // Acquiring: sees the chunk as it was made.
    return directory[number &+ headerSize].load(ordering: .acquiring)
  }
}

// MARK: - With the pod's lock held

extension SlotTable {
  func slot(_ index: UInt32) -> UnsafeMutablePointer<Slot>? {
    directory.flatMap { SlotTable.slot(index, in: $0) }
  }

  func share(_ index: UInt32) -> UnsafeMutablePointer<Share>? {
    directory.flatMap { SlotTable.share(index, in: $0) }
  }

  @inline(__always)
  private func chunk(of index: UInt32) -> UInt {
    directory.map { SlotTable.chunk(of: index, in: $0) } ?? 0
  }

  /// The first instance of a provider.
  @inline(__always)
  func instance(_ index: UInt32) -> Instance? {
    let chunk = chunk(of: index)
    return chunk == 0 ? nil : SlotTable.instances(of: chunk)[SlotTable.position(index)]
  }

  mutating func setInstance(_ instance: Instance?, _ index: UInt32) {
    var chunk = chunk(of: index)
    if chunk == 0 {
      guard instance != nil else { return }
      chunk = makeChunk(Int(index >> SlotTable.chunkBits))
    }
    SlotTable.instances(of: chunk)[SlotTable.position(index)] = instance
  }

  /// Stores the mask of a provider's instance.
  ///
  /// `isAdded`: whether the earlier bits stay, since a reader may still have the earlier instance.
  func setMask(_ mask: UInt64, _ index: UInt32, isAdded: Bool) {
    let chunk = chunk(of: index)
    guard chunk != 0 else { return }
    var shares = SlotTable.shares(of: chunk)
    if shares == nil {
      let made = UnsafeMutablePointer<Share>.allocate(capacity: SlotTable.chunkSize)
      for position in 0..<SlotTable.chunkSize { (made + position).initialize(to: Share()) }
      SlotTable.shareAddress(of: chunk).pointee.store(UInt(bitPattern: made), ordering: .releasing)
      shares = made
    }
    let share = shares.unsafelyUnwrapped + SlotTable.position(index)
    if isAdded {
      share.pointee.mask.bitwiseOr(mask, ordering: .releasing)
    } else {
      share.pointee.mask.store(mask, ordering: .releasing)
    }
  }

  /// Notes that an instance depends on an override, or holds a deferred dependency, whose answers may be younger than the instance.
  func noteChangeable(_ instance: Instance) {
    let newest = SlotTable.newestChange(of: chunk(of: instance.index))
    newest.pointee = max(newest.pointee, instance.traits.contains(.isDeferred) ? .max : instance.serial)
  }

  /// Calls a body with each instance.
  ///
  /// `serial`: a chunk is skipped if all its noted instances have smaller serials.
  func forEach(notedSince serial: UInt64 = 0, _ body: (Instance) -> Void) {
    for chunk in chunks where SlotTable.newestChange(of: chunk).pointee >= serial {
      let instances = SlotTable.instances(of: chunk)
      for position in 0..<SlotTable.chunkSize {
        for instance in InstanceList(following: instances[position]) { body(instance) }
      }
    }
  }

  private mutating func makeChunk(_ number: Int) -> UInt {
    let base = Memory.allocateLines(
      bytes: SlotTable.slotBytes + SlotTable.instanceBytes + MemoryLayout<Atomic<UInt>>.stride
        + MemoryLayout<UInt64>.stride)
    // Safe: the memory is new, and large enough for the slots, the instances, the address and the number behind them.
    let slots = base.assumingMemoryBound(to: Slot.self)
    for position in 0..<SlotTable.chunkSize { (slots + position).initialize(to: Slot()) }
    let chunk = UInt(bitPattern: base)
    SlotTable.instances(of: chunk).initialize(repeating: nil, count: SlotTable.chunkSize)
    SlotTable.shareAddress(of: chunk).initialize(to: Atomic(0))
    SlotTable.newestChange(of: chunk).initialize(to: 0)
    chunks.append(chunk)

    let length = directory.map { Int($0[0].load(ordering: .relaxed)) } ?? 0
    if number >= length {
      let newLength = max(number + 1, length * 2, 8)
      // Safe: the memory is new, and large enough for the header and the addresses behind it.
      let grown = Memory.allocateLines(bytes: MemoryLayout<Atomic<UInt>>.stride * (newLength + SlotTable.headerSize))
        .assumingMemoryBound(to: Atomic<UInt>.self)
      grown.initialize(to: Atomic(UInt(newLength)))
      for old in 0..<newLength {
        let address = old < length ? directory![old + SlotTable.headerSize].load(ordering: .relaxed) : 0
        (grown + old + SlotTable.headerSize).initialize(to: Atomic(address))
      }
      if let directory { outgrown.append(directory) }
      directory = grown
    }
    directory![number + SlotTable.headerSize].store(chunk, ordering: .releasing)
    return chunk
  }
}
