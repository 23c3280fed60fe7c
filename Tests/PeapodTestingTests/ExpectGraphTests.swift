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
    "shows what differs, line by line", .pod,
    .enabled(if: GoldenFiles.areCompared, "graphs are being recorded"))
  func shows() throws {
    let files = try GoldenFiles()
    defer { files.remove() }
    try files.write("Changed", "config: Config [SingletonScope]\nlogger: Logger [SingletonScope]\n")
    _ = Pod.current.resolve(serviceProvider)
    withKnownIssue {
      expectGraph(of: .current, matches: "Changed", sourceLocation: files.sourceLocation)
    } matching: { issue in
      let text = issue.comments.map(\.rawValue).joined()
      return text.contains("- logger: Logger [SingletonScope]") && text.contains("+ service: Service [SingletonScope]")
        && text.contains("  config: Config [SingletonScope]") && text.contains("+   config: Config")
        && text.contains("PEAPOD_RECORD_GRAPHS=1") && issue.sourceLocation == files.sourceLocation
    }
  }

  @Test("shows only what is near a change", .pod, .enabled(if: GoldenFiles.areCompared, "graphs are being recorded"))
  func hunks() throws {
    let files = try GoldenFiles()
    defer { files.remove() }
    let providers = (10..<30).map { number in Provider("p\(number)") { _ in number } }
    for provider in providers { _ = Pod.current.resolve(provider) }
    let lines = (10..<30).map { "p\($0): Int [\($0 == 15 ? "WeakScope" : "SingletonScope")]" }
    try files.write("Hunks", lines.joined(separator: "\r\n"))
    withKnownIssue {
      expectGraph(of: .current, matches: "Hunks", sourceLocation: files.sourceLocation)
    } matching: { issue in
      issue.comments.map(\.rawValue).joined().contains(
        """
          …
          p13: Int [SingletonScope]
          p14: Int [SingletonScope]
        - p15: Int [WeakScope]
        + p15: Int [SingletonScope]
          p16: Int [SingletonScope]
          p17: Int [SingletonScope]
          …
        Run
        """)
    }
    // A provider that can no longer be named is no longer in the graph.
    withExtendedLifetime(providers) {}
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
