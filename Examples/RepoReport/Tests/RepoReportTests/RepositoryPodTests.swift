import Peapod
import PeapodTesting
import Testing

@testable import RepoReportCore

/// Tests of the instances of one repository and of the shared instances, each in a pod of its own.
@Suite(
  .pod { $0.overrideProvider(processRunnerProvider, withValue: RecordedGit(["a": .small, "b": .small])) },
  .strict)
struct RepositoryPodTests {
  private let pod = Pod.current
  private let built = ResolutionRecorder(observing: .current)

  @Test("Each repository has its own reader and mail map; git and the progress line are shared")
  func ownership() async throws {
    let a = child("a")
    let b = child("b")
    #expect(try a.resolve(logReaderProvider).repository.path == "a")
    #expect(try b.resolve(logReaderProvider).repository.path == "b")
    _ = try await a.resolve(reportProvider)
    #expect(a.isCached(mailMapProvider))
    #expect(!b.isCached(mailMapProvider))
    #expect(!pod.isCached(logReaderProvider))
    #expect(a.resolve(progressLineProvider) === pod.resolve(progressLineProvider))
    #expect(built.buildCount(of: logReaderProvider) == 2)
    #expect(built.buildCount(of: gitProvider) == 1)
  }

  @Test("Whoever asks for a report while it is being written gets that one")
  func singleFlight() async throws {
    let a = child("a")
    try await withThrowingTaskGroup { group in
      for _ in 0..<20 { group.addTask { try await a.resolve(reportProvider).totals.commits } }
      for try await commits in group { #expect(commits == 3) }
    }
    #expect(built.buildCount(of: reportProvider) == 1)
  }

  @Test("Clearing an analysis reads the history again, and keeps what is known of the repository")
  func clearing() async throws {
    let a = child("a")
    _ = try await a.resolve(reportProvider)
    a.clearCachedInstances(forScope: .analysis)
    _ = try await a.resolve(reportProvider)
    #expect(built.buildCount(of: reportProvider) == 2)
    #expect(built.buildCount(of: mailMapProvider) == 1)

    a.clearCachedInstances(forScope: .repository)
    #expect(!a.isCached(reportProvider))
    #expect(!a.isCached(mailMapProvider))
  }

  @Test("The parts are put together as the picture says")
  func graph() async throws {
    let a = child("a")
    _ = try await a.resolve(reportProvider)
    expectGraph(of: a, matches: "Report")
  }

  @Test("The graph knows what a report is made from")
  func dependencies() async throws {
    let a = child("a")
    _ = try await a.resolve(reportProvider)
    #expect(a.graph.dependencies(of: repositoryProvider).map(\.valueType) == ["Git", "String"])
    #expect(a.graph.dependents(of: logReaderProvider).map(\.valueType) == ["Reporter"])
    #expect(a.graph.edges.contains { $0.dependency == mailMapProvider.id && $0.isDeferred })
  }

  private func child(_ path: String) -> Pod {
    pod.makeChild(path, owning: [.repository]) { $0.overrideProvider(repositoryPathProvider, withValue: path) }
  }
}
