import Peapod
import PeapodTesting
import Testing

@Suite("The resolution recorder")
struct ResolutionRecorderTests {
  @Test("records what was built, dependencies first", .pod)
  func order() {
    let recorder = ResolutionRecorder(observing: .current)
    _ = Pod.current.resolve(serviceProvider)
    #expect(recorder.builds.map(\.id) == [apiProvider.id, configProvider.id, serviceProvider.id])
    #expect(recorder.builds.map(\.name) == ["api", "config", "service"])
    #expect(recorder.built(inOrder: apiProvider, serviceProvider))
    #expect(!recorder.built(inOrder: serviceProvider, apiProvider))
    #expect(!recorder.built(inOrder: apiProvider, numberProvider))
    #expect(!recorder.built(inOrder: numberProvider))
    #expect(
      Set(recorder.dependencies(ofLatestBuildOf: serviceProvider).map(\.id)) == [apiProvider.id, configProvider.id])
    #expect(recorder.dependencies(ofLatestBuildOf: numberProvider).isEmpty)
  }

  @Test("R2 R3 counts builds, not resolves", .pod, arguments: [1, 2, 10])
  func counts(resolves: Int) {
    let recorder = ResolutionRecorder()
    Pod.current.addObserver(recorder)
    for _ in 0..<resolves {
      _ = Pod.current.resolve(apiProvider)
      _ = Pod.current.resolve(freshProvider)
    }
    #expect(recorder.buildCount(of: apiProvider) == 1)
    #expect(recorder.buildCount(of: freshProvider) == resolves)
    #expect(recorder.buildCount(of: configProvider) == 0)
  }

  @Test("R8 counts one build for 100 tasks", .pod)
  func concurrent() async {
    let recorder = ResolutionRecorder(observing: .current)
    await withTaskGroup { group in
      for _ in 0..<100 {
        group.addTask { _ = Pod.current.resolve(serviceProvider) }
      }
    }
    #expect(recorder.buildCount(of: serviceProvider) == 1)
  }

  @Test("R13 records failures", .pod)
  func failures() throws {
    let recorder = ResolutionRecorder(observing: .current)
    #expect(throws: CancellationError.self) { try Pod.current.resolve(failingProvider) }
    #expect(throws: CancellationError.self) { try Pod.current.resolve(failingProvider) }
    #expect(recorder.failures.map(\.id) == [failingProvider.id, failingProvider.id])
    #expect(recorder.buildCount(of: failingProvider) == 0)
  }

  @Test("R27 records disposals, dependents first, and forgets on request")
  func disposals() {
    let recorder = ResolutionRecorder()
    let pod = Pod("disposing", observers: [recorder])
    _ = pod.resolve(serviceProvider)
    recorder.reset()
    #expect(recorder.events.isEmpty)
    pod.dispose()
    #expect(recorder.disposals.first?.id == serviceProvider.id)
    #expect(Set(recorder.disposals.map(\.id)) == [apiProvider.id, configProvider.id, serviceProvider.id])
  }

  @Test("R18 inside a block it records that block alone")
  func insideABlock() async {
    let pod = Pod("global")
    let outer = ResolutionRecorder(observing: pod)
    let inner = pod.withOverrides({ $0.overrideProvider(apiProvider) { _ in MockAPI() } }) {
      let recorder = ResolutionRecorder(observing: pod)
      _ = pod.resolve(apiProvider)
      return recorder
    }
    #expect(inner.buildCount(of: apiProvider) == 1)
    _ = pod.resolve(configProvider)
    #expect(inner.buildCount(of: configProvider) == 0)
    #expect(outer.buildCount(of: configProvider) == 1)
  }

  @Test("releases events without a lock, since a deinit may resolve")
  func reset() {
    final class Key: Hashable, Sendable {
      private let pod: Pod
      init(_ pod: Pod) { self.pod = pod }
      static func == (left: Key, right: Key) -> Bool { left === right }
      func hash(into hasher: inout Hasher) {}
      deinit { _ = pod.resolve(freshProvider) }
    }
    let pod = Pod()
    let family = Provider.family(scope: .session) { (_, _: Key) in 1 }
    let recorder = ResolutionRecorder(observing: pod)
    _ = pod.resolve(family(Key(pod)))
    pod.clearCachedInstances(forScope: .session)
    #expect(recorder.builds.count == 1)
    recorder.reset()
    #expect(recorder.builds.map(\.id) == [freshProvider.id])
  }

  @Test("hears of child pods", .pod)
  func children() {
    let recorder = ResolutionRecorder(observing: .current)
    Pod.current.withChild(owning: [.session]) { _ = $0.resolve(draftProvider) }
    #expect(recorder.buildCount(of: draftProvider) == 1)
  }
}

private let freshProvider = Provider("fresh", scope: .alwaysCreateNew) { _ in Document() }
private let failingProvider = ThrowingProvider<Int>("failing") { _ in throw CancellationError() }
