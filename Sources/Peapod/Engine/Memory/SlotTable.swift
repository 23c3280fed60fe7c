import Synchronization

/// The slots and the instances of a root pod by the index of the declaration.
///
/// Slots, masks and the references beside them are read without a lock.
///
/// A chunk is allocated when one of its slots is first used, and is never moved. Readers write to slots, providers of one file are often
/// read together, and processors fetch lines in pairs. So the slots of successive providers lie two cache lines apart. Neither the slots nor
/// the directory share a cache line with other memory. Otherwise the users of an instance that is built at the same time would often slow
/// down all readers.
struct SlotTable: ~Copyable {
  // The memory that readers use is published by atomics and stays as long as the table. All other fields are used with the pod's lock held.

  private static let chunkBits: UInt32 = 7
  private static let chunkSize = 1 << Int(chunkBits)

  private struct Chunk {
    let slots: UnsafeMutablePointer<Slot>
    let instances: UnsafeMutablePointer<Instance?>
    var shares: UnsafeMutablePointer<Share>?
    /// The largest serial that `noteChangeable` has stored; zero if there is none.
    var newestChange: UInt64 = 0

    init() {
      // Safe: the memory is new, and large enough for the slots.
      slots = Memory.allocateLines(bytes: MemoryLayout<Slot>.stride * chunkSize).assumingMemoryBound(to: Slot.self)
      for position in 0..<chunkSize { (slots + position).initialize(to: Slot()) }
      instances = .allocate(capacity: chunkSize)
      instances.initialize(repeating: nil, count: chunkSize)
    }
  }

  /// The data that child pods read beside the slot of a provider.
  struct Share: ~Copyable {
    /// The mask of the published instance.
    let mask = Atomic<UInt64>(0)
    /// The `answerClock` for which the mask of a holder of deferred dependencies was computed, or zero.
    let answerTime = Atomic<UInt>(0)
    /// A reference to the published instance itself, with a stock of its own, for builders that depend on the instance.
    let instance = Slot()
  }

  /// An array of its own number of chunks, and then the addresses of the slots and of the shares of each chunk; zero means none.
  typealias Directory = UnsafeMutablePointer<Atomic<UInt>>
  private(set) var directory: Directory?
  /// Directories that were outgrown.
  ///
  /// Readers may still use these directories, so they are freed with the table.
  private var outgrown: [Directory] = []
  private var chunks: [Chunk?] = []

  init() {}

  deinit {
    for case let chunk? in chunks {
      chunk.instances.deinitialize(count: SlotTable.chunkSize)
      chunk.instances.deallocate()
      chunk.slots.deallocate()
      chunk.shares?.deallocate()
    }
    for directory in outgrown { directory.deallocate() }
    directory?.deallocate()
  }

  /// The index of the provider with a number: chunk after chunk, in an order that separates successive providers.
  static func index(_ number: UInt32) -> UInt32 {
    let place = number & UInt32(chunkSize - 1)
    return number - place | (place & 7) << 4 | place & 8 | place >> 4
  }

  @inline(__always)
  private static func position(_ index: UInt32) -> Int { Int(index & UInt32(chunkSize - 1)) }

  @inline(__always)
  private static func chunkNumber(_ index: UInt32) -> Int { Int(index >> chunkBits) }

  /// The place in a directory for the address of the slots of a chunk, which the address of the shares follows.
  @inline(__always)
  private static func place(_ number: Int) -> Int { number &* 2 &+ 1 }

  /// The share of a provider, if there is a mask; needs no lock.
  @inline(__always)
  static func share(_ index: UInt32, in directory: Directory) -> UnsafeMutablePointer<Share>? {
    // Safe: only the address of an array that `setMask` made is stored there, which stays as long as the table.
    UnsafeMutablePointer<Share>(bitPattern: address(1, index, in: directory))?.advanced(by: position(index))
  }

  /// The slot of a provider, or `nil` where it was never used; needs no lock.
  @inline(__always)
  static func slot(_ index: UInt32, in directory: Directory) -> UnsafeMutablePointer<Slot>? {
    // Safe: only the address of the slots of a chunk is stored there, which stay as long as the table.
    UnsafeMutablePointer<Slot>(bitPattern: address(0, index, in: directory))?.advanced(by: position(index))
  }

  @inline(__always)
  private static func address(_ offset: Int, _ index: UInt32, in directory: Directory) -> UInt {
    let number = chunkNumber(index)
    guard UInt(bitPattern: number) < directory[0].load(ordering: .relaxed) else { return 0 }
    // Acquiring: sees the slots or the shares as they were made.
    return directory[place(number) &+ offset].load(ordering: .acquiring)
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

  /// The place of the first instance of a provider, or `nil` if there is no chunk.
  @inline(__always)
  private func place(_ index: UInt32) -> UnsafeMutablePointer<Instance?>? {
    let number = SlotTable.chunkNumber(index)
    guard number < chunks.count, let chunk = chunks[number] else { return nil }
    return chunk.instances + SlotTable.position(index)
  }

  @inline(__always)
  func instance(_ index: UInt32) -> Instance? { place(index)?.pointee }

  mutating func setInstance(_ instance: Instance?, _ index: UInt32) {
    if instance != nil, place(index) == nil { makeChunk(SlotTable.chunkNumber(index)) }
    place(index)?.pointee = instance
  }

  /// Stores the mask of a provider's instance.
  ///
  /// `isAdded`: whether the earlier bits stay, since a reader may still have the earlier instance.
  mutating func setMask(_ mask: UInt64, _ index: UInt32, isAdded: Bool) {
    if share(index) == nil { makeShares(SlotTable.chunkNumber(index)) }
    guard let share = share(index) else { return }
    if isAdded {
      share.pointee.mask.bitwiseOr(mask, ordering: .releasing)
    } else {
      // This mask has no answers. The present time may be stored already, with a mask that was computed while a bit was new.
      share.pointee.answerTime.store(0, ordering: .relaxed)
      share.pointee.mask.store(mask, ordering: .releasing)
    }
  }

  /// Notes that an instance depends on an override, or holds a deferred dependency, whose answers may be younger than the instance.
  mutating func noteChangeable(_ instance: Instance) {
    let number = SlotTable.chunkNumber(instance.index)
    let serial = instance.traits.contains(.isDeferred) ? .max : instance.serial
    if let newest = chunks[number]?.newestChange, newest < serial { chunks[number]?.newestChange = serial }
  }

  /// Calls a body with each instance.
  ///
  /// `serial`: a chunk is skipped if all its noted instances have smaller serials.
  func forEach(notedSince serial: UInt64 = 0, _ body: (Instance) -> Void) {
    for case let chunk? in chunks where chunk.newestChange >= serial {
      // Most places of a small pod are empty, and would be retained and released too.
      for position in 0..<SlotTable.chunkSize where chunk.instances[position] != nil {
        for instance in InstanceList(following: chunk.instances[position]) { body(instance) }
      }
    }
  }

  private mutating func makeChunk(_ number: Int) {
    if number >= chunks.count { grow(to: max(number + 1, chunks.count * 2, 8)) }
    let chunk = Chunk()
    chunks[number] = chunk
    directory![SlotTable.place(number)].store(UInt(bitPattern: chunk.slots), ordering: .releasing)
  }

  private mutating func makeShares(_ number: Int) {
    let shares = UnsafeMutablePointer<Share>.allocate(capacity: SlotTable.chunkSize)
    for position in 0..<SlotTable.chunkSize { (shares + position).initialize(to: Share()) }
    chunks[number]?.shares = shares
    directory![SlotTable.place(number) + 1].store(UInt(bitPattern: shares), ordering: .releasing)
  }

  /// Makes a larger directory with the contents of the present one.
  private mutating func grow(to count: Int) {
    let (length, former) = (SlotTable.place(count), SlotTable.place(chunks.count))
    // Safe: the memory is new, and large enough for the number and the addresses.
    let grown = Memory.allocateLines(bytes: MemoryLayout<Atomic<UInt>>.stride * length)
      .assumingMemoryBound(to: Atomic<UInt>.self)
    grown.initialize(to: Atomic(UInt(count)))
    for place in 1..<length {
      let known = directory.flatMap { place < former ? $0[place].load(ordering: .relaxed) : nil }
      (grown + place).initialize(to: Atomic(known ?? 0))
    }
    if let directory { outgrown.append(directory) }
    directory = grown
    chunks.append(contentsOf: repeatElement(nil, count: count - former / 2))
  }
}
