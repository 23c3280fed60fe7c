import Synchronization
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

  #if DEBUG
    enum Parent: CaseIterable { case root, podOfBuilder, childOfBuilder }

    @Test(
      "R8 a request takes no lock of the root, also where its builder resolves shared instances, or a builder kept the parent",
      arguments: Parent.allCases)
    func locksOfRequests(_ kind: Parent) {
      struct RequestScope: ProviderScope {}
      let (user, other) = (Provider { _ in 0 }, Provider { _ in 0 })
      // A reference and a value that is none.
      let (one, two) = (Provider { _ in Instance() }, Provider { _ in [1, 2, 3] })
      let own = Provider(scope: RequestScope()) { _ in Instance() }
      let service = Provider(scope: .alwaysCreateNew) { pod in (pod.resolve(one), pod.resolve(two), pod.resolve(own)) }
      let root = Pod("root")
      let parent =
        switch kind {
        case .root: root
        case .podOfBuilder: root.resolve(Provider("server") { $0 })
        case .childOfBuilder: root.resolve(Provider("server") { $0.makeChild() })
        }
      func request(_ body: (Pod) -> Void) {
        let child = parent.makeChild(owning: [RequestScope()]) { child in
          child.overrideProvider(user, withValue: 1)
          child.overrideProvider(other, withValue: 2)
        }
        body(child)
      }
      // Another test makes a child that owns the scope of singletons. Where one of these providers has the bit of that scope too, which is
      // rare, requests rightly look closer.
      var changes: UInt64 = 0
      request { changes = $0.state.changes.load(ordering: .relaxed) }
      if changes & ScopeIdentity.singleton.changeNumber.bit != 0 { return }
      func locks(of body: (Pod) -> Void) -> (root: Int, structure: Int) {
        let (state, count) = (root.state, 100)
        while true {
          // The first requests build what is shared, and compute the masks.
          for _ in 0..<3 { request(body) }
          let epoch = ChangeBits.epoch.load(ordering: .relaxed)
          let before = (
            state.lockAcquisitions, state.structure.acquisitions.load(ordering: .relaxed)
          )
          for _ in 0..<count { request(body) }
          let after = (state.lockAcquisitions, state.structure.acquisitions.load(ordering: .relaxed))
          // Other tests override providers for the first time meanwhile, and then the masks are computed again.
          guard epoch == ChangeBits.epoch.load(ordering: .relaxed) else { continue }
          return ((after.0 - before.0) / count, (after.1 - before.1) / count)
        }
      }
      let built = locks { _ = $0.resolve(service) }
      // Now and then the reader fills the stock of references.
      #expect(built.root == 0)
      #expect(built.structure == 0)
      let read = locks { pod in
        _ = pod.resolve(one)
        _ = pod.resolve(two)
        _ = pod.resolve(own)
      }
      #expect(read.root == 0)
      #expect(read.structure == 0)
    }
  #endif

  private func line(of address: UnsafeRawPointer) -> UInt { UInt(bitPattern: address) / UInt(Memory.lineBytes) }
}
