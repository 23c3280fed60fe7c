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
    enum Parent: CaseIterable, Codable { case root, podOfBuilder, childOfBuilder }

    @Test(
      "R8 a request takes no lock of the root, also where its builder resolves or defers shared instances, or a builder kept the parent",
      arguments: Parent.allCases)
    func locksOfRequests(_ kind: Parent) async {
      // In a process of its own: other tests give bits to providers, so that masks are computed again, or providers share a bit. And
      // beside the closures that they run, the order of a teardown is computed.
      await #expect(processExitsWith: .success) { [kind] in
        struct RequestScope: ProviderScope {}
        let scope = RequestScope()
        let (user, other) = (Provider { _ in 0 }, Provider { _ in 0 })
        // A reference and a value that is none.
        let (one, two) = (Provider { _ in Instance() }, Provider { _ in [1, 2, 3] })
        let own = Provider(scope: scope) { _ in Instance() }
        let service = Provider(scope: .alwaysCreateNew) { pod in (pod.resolve(one), pod.resolve(two), pod.resolve(own))
        }
        let deferring = Provider(scope: scope) { pod in (pod.lazy(one), pod.factory(two)) }
        let members = Provider.family { (_, _: Int) in Instance() }
        let holder = Provider { $0.factory(members) }
        let using = Provider(scope: scope) { pod in pod.resolve(holder) }
        let root = Pod("root")
        let parent =
          switch kind {
          case .root: root
          case .podOfBuilder: root.resolve(Provider("server") { $0 })
          case .childOfBuilder: root.resolve(Provider("server") { $0.makeChild() })
          }
        func expectNoLock(_ body: (Pod) -> Void) {
          func request() {
            let child = parent.makeChild(owning: [scope]) { child in
              child.overrideProvider(user, withValue: 1)
              child.overrideProvider(other, withValue: 2)
            }
            body(child)
          }
          // The first requests build what is shared, and compute the masks.
          for _ in 0..<3 { request() }
          let (state, count) = (root.state, 100)
          let (locks, changes, answers) = (
            state.lockAcquisitions, state.structure.acquisitions.load(ordering: .relaxed),
            state.answerChanges.load(ordering: .relaxed)
          )
          for _ in 0..<count { request() }
          // Now and then the reader fills the stock of references.
          #expect((state.lockAcquisitions - locks) / count == 0)
          #expect(state.structure.acquisitions.load(ordering: .relaxed) == changes)
          // The clock of answers, which many requests may read, has not advanced.
          #expect(state.answerChanges.load(ordering: .relaxed) == answers)
        }
        expectNoLock { _ = $0.resolve(own) }
        expectNoLock { _ = $0.resolve(service) }
        expectNoLock { pod in
          let (lazy, make) = pod.resolve(deferring)
          _ = (lazy.value, make())
        }
        expectNoLock { _ = ($0.resolve(one), $0.resolve(two), $0.resolve(own)) }
        for number in 0..<10 { _ = root.resolve(members(number)) }
        expectNoLock { _ = ($0.resolve(own), $0.resolve(using)) }
      }
    }
  #endif

  private func line(of address: UnsafeRawPointer) -> UInt { UInt(bitPattern: address) / UInt(Memory.lineBytes) }
}
