import Synchronization

/// The slots of a root pod by the index of the declaration, readable without a lock.
///
/// A chunk is allocated when one of its slots is first used, and stays where it is as long as the layer. The slots of providers that
/// are declared one after the other lie two cache lines apart: readers write to a slot, two providers of one file are often read
/// together, and processors fetch lines in pairs. Neither a chunk nor the directory shares a line with anything else: the instance that
/// is built when they are made would often lie beside them, and whoever uses it would slow down all readers.
final class SlotTable: @unchecked Sendable {
  // Safe: readers use the directory's address and what it leads to, which is published by atomics and stays as long as
  // the table; all else is used with the engine's lock held.

  private static let chunkBits: UInt32 = 7
  private static let chunkSize = 1 << Int(chunkBits)
  private static let slotBytes = MemoryLayout<Slot>.stride * chunkSize

  /// An array of its own length, the addresses of the layer and of the pod that its builders get, and then the addresses of
  /// chunks; zero stands for none.
  typealias Directory = UnsafeMutablePointer<Atomic<UInt>>
  private(set) var directory: Directory?
  private static let headerSize = 3
  private var header: (layer: UInt, builderPod: UInt) = (0, 0)
  /// Directories that were outgrown.
  ///
  /// A reader may still look into one, so they go with the table.
  private var outgrown: [Directory] = []
  /// The chunks in use, for walking through the table.
  private var chunks: [UInt] = []

  init() {}

  deinit {
    for chunk in chunks {
      // Safe: made by `makeChunk`.
      SlotTable.records(of: chunk).deinitialize(count: SlotTable.chunkSize)
      Memory.free(UnsafeMutableRawPointer(bitPattern: chunk).unsafelyUnwrapped)
    }
    for directory in outgrown { Memory.free(directory) }
    if let directory { Memory.free(directory) }
  }

  /// The index of the provider that has a number: the places of chunk after chunk, in an order that leads away from neighbours.
  static func index(_ number: UInt32) -> UInt32 {
    let place = number & UInt32(chunkSize - 1)
    return number - place | (place & 7) << 4 | place & 8 | place >> 4
  }

  @inline(__always)
  private static func position(_ index: UInt32) -> Int { Int(index & UInt32(chunkSize - 1)) }

  private static func records(of chunk: UInt) -> UnsafeMutablePointer<Entry?> {
    // Safe: the records follow the slots in the chunk's memory.
    UnsafeMutableRawPointer(bitPattern: chunk + UInt(slotBytes)).unsafelyUnwrapped
      .assumingMemoryBound(to: Entry?.self)
  }

  /// The slot of a provider, or `nil` where it was never used; needs no lock.
  @inline(__always)
  static func slot(_ index: UInt32, in directory: Directory) -> UnsafeMutablePointer<Slot>? {
    let number = Int(index >> chunkBits)
    guard UInt(bitPattern: number) < directory[0].load(ordering: .relaxed) else { return nil }
    // Safe: a chunk begins with its slots, and stays as long as the table.
    return UnsafeMutableRawPointer(bitPattern: directory[number &+ headerSize].load(ordering: .acquiring))?
      .assumingMemoryBound(to: Slot.self).advanced(by: position(index))
  }
}

extension SlotTable.Directory {
  /// The root layer.
  var layer: Layer? { Layer(at: self[1].load(ordering: .acquiring)) }

  /// The address of the pod that builders of the root layer get, once there is one.
  var builderPod: UnsafeRawPointer? { UnsafeRawPointer(bitPattern: self[2].load(ordering: .acquiring)) }
}

// MARK: - With the engine's lock held

extension SlotTable {
  /// Says whose table this is, and which pod its builders get.
  func setOwner(_ layer: Layer, builderPod: Pod?) {
    header.layer = layer.address
    header.builderPod = builderPod.map { UInt(bitPattern: Unmanaged.passUnretained($0).toOpaque()) } ?? 0
    directory?[1].store(header.layer, ordering: .releasing)
    directory?[2].store(header.builderPod, ordering: .releasing)
  }

  func slot(_ index: UInt32) -> UnsafeMutablePointer<Slot>? {
    directory.flatMap { SlotTable.slot(index, in: $0) }
  }

  @inline(__always)
  private func chunk(of index: UInt32) -> UInt {
    let number = Int(index >> SlotTable.chunkBits)
    guard let directory, number < Int(directory[0].load(ordering: .relaxed)) else { return 0 }
    return directory[number + SlotTable.headerSize].load(ordering: .relaxed)
  }

  /// The first record of a provider.
  @inline(__always)
  func record(_ index: UInt32) -> Entry? {
    let chunk = chunk(of: index)
    return chunk == 0 ? nil : SlotTable.records(of: chunk)[SlotTable.position(index)]
  }

  /// What a table has of one provider.
  struct Place {
    let slot: UnsafeMutablePointer<Slot>
    /// Where its first record is noted.
    let record: UnsafeMutablePointer<Entry?>
  }

  /// The place of a provider, where it or one near it was ever used.
  @inline(__always)
  func place(of index: UInt32) -> Place? {
    let chunk = chunk(of: index)
    guard let slots = UnsafeMutableRawPointer(bitPattern: chunk) else { return nil }
    let position = SlotTable.position(index)
    // Safe: a chunk begins with its slots, and stays as long as the table.
    return Place(
      slot: slots.assumingMemoryBound(to: Slot.self) + position, record: SlotTable.records(of: chunk) + position)
  }

  func setRecord(_ entry: Entry?, _ index: UInt32) {
    var chunk = chunk(of: index)
    if chunk == 0 {
      guard entry != nil else { return }
      chunk = makeChunk(Int(index >> SlotTable.chunkBits))
    }
    SlotTable.records(of: chunk)[SlotTable.position(index)] = entry
  }

  /// Takes a record out that is the only one of its provider; returns whether it is.
  func removeOnly(_ entry: Entry, _ index: UInt32) -> Bool {
    guard let place = place(of: index), place.record.pointee == entry else { return false }
    place.record.pointee = nil
    return true
  }

  func forEachRecord(_ body: (Entry) -> Void) {
    for chunk in chunks {
      let records = SlotTable.records(of: chunk)
      for position in 0..<SlotTable.chunkSize {
        var entry = records[position]
        while let current = entry {
          entry = current.next
          body(current)
        }
      }
    }
  }

  private func makeChunk(_ number: Int) -> UInt {
    let recordBytes = MemoryLayout<Entry?>.stride * SlotTable.chunkSize
    let base = Memory.allocateLines(bytes: SlotTable.slotBytes + recordBytes)
    // Safe: the memory is new, and large enough for the slots and the records behind them.
    let slots = base.assumingMemoryBound(to: Slot.self)
    for position in 0..<SlotTable.chunkSize { (slots + position).initialize(to: Slot()) }
    let chunk = UInt(bitPattern: base)
    SlotTable.records(of: chunk).initialize(repeating: nil, count: SlotTable.chunkSize)
    chunks.append(chunk)

    let length = directory.map { Int($0[0].load(ordering: .relaxed)) } ?? 0
    if number >= length {
      let newLength = max(number + 1, length * 2, 8)
      // Safe: the memory is new, and large enough for the header and the addresses behind it.
      let grown = Memory.allocateLines(bytes: MemoryLayout<Atomic<UInt>>.stride * (newLength + SlotTable.headerSize))
        .assumingMemoryBound(to: Atomic<UInt>.self)
      grown.initialize(to: Atomic(UInt(newLength)))
      (grown + 1).initialize(to: Atomic(header.layer))
      (grown + 2).initialize(to: Atomic(header.builderPod))
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
