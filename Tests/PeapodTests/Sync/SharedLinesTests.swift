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
      "R8 a request takes no lock of the root, also where its builder resolves or defers shared instances, or a builder kept the parent",
      arguments: Parent.allCases)
    func locksOfRequests(_ kind: Parent) {
      var locks: [Locks]?
      repeat { locks = locksUndisturbed(kind) } while locks == nil
      // Now and then the reader fills the stock of references.
      for locks in locks ?? [] { #expect(locks == Locks(root: 0, structure: 0, answers: 0)) }
    }

    private struct Locks: Equatable {
      let root: Int
      let structure: Int
      /// The steps of the clock of answers, which many requests may read.
      let answers: UInt
    }

    /// How often a request takes the locks of a root, if it builds and if it reads; `nil` if another test has changed the bits that masks need.
    ///
    /// Other tests override providers for the first time, so that masks are computed again. And a child of another test owns the scope of
    /// singletons: if something that these requests override or own has the same bit, the requests rightly look closer.
    private func locksUndisturbed(_ kind: Parent) -> [Locks]? {
      struct RequestScope: ProviderScope { let number: UInt64 }
      let scope = RequestScope(number: .random(in: 0 ... .max))
      let (user, other) = (Provider { _ in 0 }, Provider { _ in 0 })
      // A reference and a value that is none.
      let (one, two) = (Provider { _ in Instance() }, Provider { _ in [1, 2, 3] })
      let own = Provider(scope: scope) { _ in Instance() }
      let service = Provider(scope: .alwaysCreateNew) { pod in (pod.resolve(one), pod.resolve(two), pod.resolve(own)) }
      let deferring = Provider(scope: scope) { pod in (pod.lazy(one), pod.factory(two)) }
      let root = Pod("root")
      let parent =
        switch kind {
        case .root: root
        case .podOfBuilder: root.resolve(Provider("server") { $0 })
        case .childOfBuilder: root.resolve(Provider("server") { $0.makeChild() })
        }
      func request(_ body: (Pod) -> Void) {
        let child = parent.makeChild(owning: [scope]) { child in
          child.overrideProvider(user, withValue: 1)
          child.overrideProvider(other, withValue: 2)
        }
        body(child)
      }
      func locks(of body: (Pod) -> Void) -> Locks {
        // The first requests build what is shared, and compute the masks.
        for _ in 0..<3 { request(body) }
        let (state, count) = (root.state, 100)
        let before = (
          state.lockAcquisitions, state.structure.acquisitions.load(ordering: .relaxed),
          state.answerChanges.load(ordering: .relaxed)
        )
        for _ in 0..<count { request(body) }
        return Locks(
          root: (state.lockAcquisitions - before.0) / count,
          structure: (state.structure.acquisitions.load(ordering: .relaxed) - before.1) / count,
          answers: (state.answerChanges.load(ordering: .relaxed) - before.2) / UInt(count))
      }
      // Gives the bits.
      request { _ = $0.resolve(own) }
      let epoch = ChangeBits.epoch.load(ordering: .relaxed)
      let built = locks { _ = $0.resolve(service) }
      let deferred = locks { pod in
        let (lazy, make) = pod.resolve(deferring)
        _ = (lazy.value, make())
      }
      let read = locks { pod in
        _ = pod.resolve(one)
        _ = pod.resolve(two)
        _ = pod.resolve(own)
      }
      var changes: UInt64 = 0
      request { changes = $0.state.changes.load(ordering: .relaxed) }
      let isUndisturbed = epoch == ChangeBits.epoch.load(ordering: .relaxed)
      return isUndisturbed && changes & ScopeIdentity.singleton.changeNumber.bit == 0 ? [built, deferred, read] : nil
    }
  #endif

  private func line(of address: UnsafeRawPointer) -> UInt { UInt(bitPattern: address) / UInt(Memory.lineBytes) }
}
