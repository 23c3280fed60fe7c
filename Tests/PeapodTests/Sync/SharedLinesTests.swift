import Testing

@testable import Peapod

/// What all readers of a pod read lies on cache lines of its own, so that whoever uses an instance does not slow them down.
struct SharedLinesTests {
  private final class Instance: Sendable {}

  @Test("No instance lies on a line of the directory of slots, nor of a chunk of them")
  func ownLines() throws {
    let providers = (0..<1_500).map { _ in Provider { _ in Instance() } }
    for _ in 0..<50 {
      let pod = Pod()
      let instances = providers.suffix(2).map { pod.resolve($0) }
      // What the addresses lead to goes with the pod.
      try withExtendedLifetime(pod) {
        let directory = try #require(pod.state.directory)
        let slot = try #require(SlotTable.slot(providers[1_499].declaration.index, in: directory))
        let last = directory + Int(directory[0].load(ordering: .relaxed))
        let shared = [line(of: directory), line(of: last), line(of: slot)]
        #expect(UInt(bitPattern: directory) % UInt(Memory.lineBytes) == 0)
        for instance in instances {
          #expect(!shared.contains(line(of: Unmanaged.passUnretained(instance).toOpaque())))
        }
      }
    }
  }

  private func line(of address: UnsafeRawPointer) -> UInt { UInt(bitPattern: address) / UInt(Memory.lineBytes) }
}
