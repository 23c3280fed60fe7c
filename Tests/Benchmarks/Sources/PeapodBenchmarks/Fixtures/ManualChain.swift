import CBenchmarkSupport
import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A chain of instances that manual code builds on demand, with the least that a recorded single flight needs.
///
/// For each instance, the code claims the build with one atomic step, reads the clock twice, makes the instance and its record, and
/// publishes the record with another atomic step. No lock is taken and nothing else is checked. This is the floor of a first resolve.
final class ManualChain {
  /// The record of one finished build, with an edge to the record of the dependency.
  final class Record: Sendable {
    let node: Node
    let dependency: Record?
    let duration: Int

    init(node: Node, dependency: Record?, duration: Int) {
      self.node = node
      self.dependency = dependency
      self.duration = duration
    }
  }

  /// The word of a cell: nothing is built.
  private static let empty: UInt = 0
  /// The word of a cell: a caller is building.
  ///
  /// Any other word is the address of a record.
  private static let building: UInt = 1

  // Safe: `init` initializes all cells, and only `deinit` deinitializes them.
  private let cells: UnsafeMutablePointer<Atomic<UInt>>
  private let size: Int

  init(_ size: Int) {
    self.size = size
    cells = .allocate(capacity: size)
    for index in 0..<size { (cells + index).initialize(to: Atomic(Self.empty)) }
  }

  deinit {
    // The last record is released first, so that no release of one record releases another.
    for index in (0..<size).reversed() {
      let word = cells[index].load(ordering: .acquiring)
      guard word > Self.building, let address = UnsafeRawPointer(bitPattern: word) else { continue }
      // Safe: `record(at:)` stored the address of a record that it retained, and nothing else releases that reference.
      Unmanaged<Record>.fromOpaque(address).release()
    }
    cells.deinitialize(count: size)
    cells.deallocate()
  }

  /// Returns the record at an index, and builds the record and its dependencies if they are missing.
  @inline(never) func record(at index: Int) -> Record {
    let claim = cells[index].compareExchange(
      expected: Self.empty, desired: Self.building, ordering: .acquiringAndReleasing)
    guard claim.exchanged else {
      guard claim.original > Self.building, let address = UnsafeRawPointer(bitPattern: claim.original) else {
        fatalError("a chain of one thread is never resolved by two")
      }
      // Safe: the word is the address of a record that the cell retains until `deinit`.
      return Unmanaged<Record>.fromOpaque(address).takeUnretainedValue()
    }
    let start = Self.now()
    let dependency = index > 0 ? record(at: index - 1) : nil
    let node = Node(dependency?.node)
    let record = Record(node: node, dependency: dependency, duration: Self.now() &- start)
    cells[index].store(UInt(bitPattern: Unmanaged.passRetained(record).toOpaque()), ordering: .releasing)
    return record
  }

  private static func now() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec &* 1_000_000_000 &+ time.tv_nsec
  }
}
