import Foundation
import Peapod
import PeapodTesting
import Testing

@Suite("expectGraph(of:matches:)")
struct ExpectGraphTests {
  @Test(
    "is content with the graph in the file beside the test",
    .pod { $0.overrideProvider(configProvider, withValue: Config()) })
  func matches() {
    _ = Pod.current.resolve(serviceProvider)
    _ = Pod.current.resolve(captorProvider)
    _ = Pod.current.resolve(reportProvider)
    expectGraph(of: .current, matches: "Service")
  }

  @Test("does not depend on the order of resolving or on what else was asked again", .pod, arguments: [false, true])
  func isDeterministic(reversed: Bool) {
    let resolves: [@Sendable () -> Void] = [
      { _ = Pod.current.resolve(doubledProvider) }, { _ = Pod.current.resolve(serviceProvider) },
    ]
    for resolve in reversed ? resolves.reversed() : resolves { resolve() }
    _ = Pod.current.resolve(apiProvider)
    expectGraph(of: .current, matches: "TwoRoots")
  }

  @Test("R19 shows what lives in child pods, and only there", .pod)
  func children() {
    let child = Pod.current.makeChild("request", owning: [.session]) {
      $0.overrideProvider(configProvider, withValue: Config())
    }
    let empty = Pod.current.makeChild("empty")
    _ = child.resolve(serviceProvider)
    _ = child.resolve(draftProvider)
    expectGraph(of: .current, matches: "Children")
    withExtendedLifetime((child, empty)) {}
  }

  @Test("tells providers of one name apart", .pod)
  func oneName() {
    _ = Pod.current.resolve(twinsProvider)
    expectGraph(of: .current, matches: "Twins")
  }

  @Test(
    "lists what was added, removed and changed", .pod,
    .enabled(if: GoldenFiles.areCompared, "graphs are being recorded"))
  func difference() throws {
    let files = try GoldenFiles()
    defer { files.remove() }
    try files.write(
      "Changed",
      """
      api: API [SingletonScope, overridden]
      config: Config [WeakScope]
        logger: Logger (deferred)
      logger: Logger [SingletonScope]
      pod request
        draft: Document [SessionScope]
          config: Config (captive)
      """.split(separator: "\n").joined(separator: "\r\n"))
    _ = Pod.current.resolve(serviceProvider)
    withKnownIssue {
      expectGraph(of: .current, matches: "Changed", sourceLocation: files.sourceLocation)
    } matching: { issue in
      issue.sourceLocation == files.sourceLocation
        && issue.comments.map(\.rawValue).joined().contains(
          """
          - logger: Logger [SingletonScope]
          + service: Service [SingletonScope]
          ~ api: API [no longer overridden]
          ~ config: Config [WeakScope → SingletonScope]
          - config: Config → logger: Logger (deferred)
          + service: Service → api: API
          + service: Service → config: Config
          pod request
            - draft: Document [SessionScope]
            - draft: Document → config: Config
            - captive: draft: Document keeps config: Config
          Run the test with PEAPOD_RECORD_GRAPHS=1
          """)
    }
  }

  @Test(
    "compares a child pod whose name ends in a bracket", .pod,
    .enabled(if: GoldenFiles.areCompared, "graphs are being recorded"))
  func bracketInName() throws {
    let files = try GoldenFiles()
    defer { files.remove() }
    try files.write("Bracket", "pod \"account [42]\"\n  config: Config [SingletonScope, overridden]\n")
    let child = Pod.current.makeChild("account [42]") {
      $0.overrideProvider(configProvider, withValue: Config())
      $0.overrideProvider(apiProvider, withValue: LiveAPI())
    }
    _ = child.resolve(configProvider)
    withKnownIssue {
      expectGraph(of: .current, matches: "Bracket", sourceLocation: files.sourceLocation)
    } matching: { issue in
      issue.comments.map(\.rawValue).joined().contains(
        """
        pod "account [42]"
          + api: API [SingletonScope, overridden]
        """)
    }
    withExtendedLifetime(child) {}
  }

  @Test(
    "refuses a file that is no graph", .pod, .enabled(if: GoldenFiles.areCompared, "graphs are being recorded"),
    arguments: ["config", "  api: API", "config: Config [SingletonScope]\n  nothing: Nothing", "api [A]\n    api"])
  func unreadable(text: String) throws {
    let files = try GoldenFiles()
    defer { files.remove() }
    try files.write("Unreadable", text)
    _ = Pod.current.resolve(configProvider)
    withKnownIssue {
      expectGraph(of: .current, matches: "Unreadable", sourceLocation: files.sourceLocation)
    } matching: { issue in
      issue.comments.map(\.rawValue).joined().contains("is not part of a graph")
    }
  }

  @Test("misses a file that is not there", .pod, .enabled(if: GoldenFiles.areCompared, "graphs are being recorded"))
  func missing() throws {
    let files = try GoldenFiles()
    defer { files.remove() }
    _ = Pod.current.resolve(configProvider)
    withKnownIssue {
      expectGraph(of: .current, matches: "Missing", sourceLocation: files.sourceLocation)
    } matching: {
      $0.comments.contains {
        $0.rawValue.contains("no graph") && $0.rawValue.contains("config: Config [SingletonScope]")
      }
    }
    #expect(files.text("Missing") == nil)
  }

  @Test(
    "writes the file where PEAPOD_RECORD_GRAPHS is set, warns of that, and then matches it",
    .expectsWarning("without comparing"))
  func records() async {
    await #expect(processExitsWith: .success) {
      let files = try GoldenFiles()
      defer { files.remove() }
      let pod = Pod("recorded")
      _ = pod.resolve(doubledProvider)
      setenv("PEAPOD_RECORD_GRAPHS", "1", 1)
      expectGraph(of: pod, matches: "Recorded", sourceLocation: files.sourceLocation)
      let text = files.text("Recorded")
      setenv("PEAPOD_RECORD_GRAPHS", "0", 1)
      expectGraph(of: pod, matches: "Recorded", sourceLocation: files.sourceLocation)
      let expected = "doubled: Int [SingletonScope]\n  number: Int\nnumber: Int [SingletonScope]\n"
      guard text == expected else { fatalError("wrote \(text ?? "nothing")") }
    }
  }
}

/// A directory with golden graphs of its own, as though a test file lay in it.
private struct GoldenFiles {
  let directory = FileManager.default.temporaryDirectory.appendingPathComponent("PeapodTesting-\(UUID().uuidString)")

  init() throws {
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
  }

  static var areCompared: Bool {
    ["", "0"].contains(ProcessInfo.processInfo.environment["PEAPOD_RECORD_GRAPHS"] ?? "")
  }

  var sourceLocation: SourceLocation {
    let path = directory.appendingPathComponent("SomeTests.swift").path
    return SourceLocation(fileID: "PeapodTestingTests/SomeTests.swift", filePath: path, line: 12, column: 3)
  }

  func write(_ name: String, _ text: String) throws {
    let graphs = directory.appendingPathComponent("Graphs")
    try FileManager.default.createDirectory(at: graphs, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: graphs.appendingPathComponent("\(name).txt"))
  }

  func text(_ name: String) -> String? {
    try? String(contentsOf: directory.appendingPathComponent("Graphs/\(name).txt"), encoding: .utf8)
  }

  func remove() {
    try? FileManager.default.removeItem(at: directory)
  }
}

private final class Report: Sendable {
  let number: Lazy<Int>

  init(number: Lazy<Int>) {
    self.number = number
  }
}

private let reportProvider = Provider { pod in Report(number: pod.lazy(numberProvider)) }
private let twinProvider = Provider("twin") { _ in 1 }
private let otherTwinProvider = Provider("twin") { _ in 2 }
private let twinsProvider = Provider("twins") { pod in [pod.resolve(twinProvider), pod.resolve(otherTwinProvider)] }
