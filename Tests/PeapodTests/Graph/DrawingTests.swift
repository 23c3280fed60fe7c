import Foundation
import Peapod
import Testing

/// Rule 28: `mermaid()`, `dot()` and the tree.
@Suite(.timeLimit(.minutes(20))) struct DrawingTests {
  private struct Lobby: ProviderScope {
    var children: [any ProviderScope] { [Cabin()] }
  }
  private struct Cabin: ProviderScope {}

  /// Forty providers of four scopes, each built from up to three others, some of them through handles.
  private struct Web: Sendable {
    let all: [Provider<Part>]

    init() {
      var all: [Provider<Part>] = []
      for index in 0..<40 {
        let lower = [index / 2, index - 3, index - 7].filter { $0 >= 0 && $0 < index }.map { all[$0] }
        let build: @Sendable (Pod) -> Part = { pod in
          if index.isMultiple(of: 5), let first = lower.first { _ = pod.lazy(first) }
          return Part("\(index)", lower.dropFirst().map { pod.resolve($0) })
        }
        all.append(
          index % 4 == 0
            ? Provider("node\(index)", scope: Lobby(), build)
            : index % 4 == 1
              ? Provider("node\(index)", scope: Cabin(), build)
              : index % 4 == 2
                ? Provider("node\(index)", build) : Provider("node\(index)", scope: .alwaysCreateNew, build))
      }
      self.all = all
    }

    /// All that is drawn of a pod in which everything was resolved, in some order, by some threads.
    func drawings(threads: Int) async throws -> [String] {
      let pod = Pod("web")
      pod.overrideProvider(all[6]) { _ in Part("override") }
      let child = pod.makeChild("child") { $0.overrideProvider(all[9]) { _ in Part("mock") } }
      if threads == 1 {
        for provider in all { _ = pod.resolve(provider) }
        for provider in all { _ = child.resolve(provider) }
      } else {
        try await runThreads(threads) { thread in
          for step in 0..<all.count {
            // 7 and 40 have no common divisor, so each is asked once by each thread, in an order of its own.
            let provider = all[(step * 7 + thread * 11) % all.count]
            _ = (thread.isMultiple(of: 2) ? pod : child).resolve(provider)
          }
        }
        for provider in all { _ = pod.resolve(provider) }
        for provider in all { _ = child.resolve(provider) }
      }
      let graph = pod.graph
      return [graph.mermaid(), graph.dot(), graph.description]
    }
  }

  @Test("R28 equal runs give equal drawings byte for byte, on one thread and on many")
  func deterministic() async throws {
    let web = Web()
    let expected = try await web.drawings(threads: 1)
    #expect(expected.allSatisfy { !$0.isEmpty })
    for threads in [1, 2, 8, 8, 8, 8] {
      let seen = try await web.drawings(threads: threads)
      for (one, other) in zip(seen, expected) { #expect(one == other) }
    }
    for text in expected { #expect(!text.contains("0x") && !text.contains(" ms")) }
  }

  @Test("R28 scopes are grouped by their tree in both drawings")
  func groups() throws {
    let pod = Pod("hotel")
    let desk = Provider("desk", scope: Lobby()) { _ in 1 }
    let bed = Provider("bed", scope: Cabin()) { $0.resolve(desk) }
    let lamp = Provider("lamp") { _ in 1 }
    _ = (pod.resolve(bed), pod.resolve(lamp))
    let graph = pod.graph
    for outline in [MermaidOutline(graph.mermaid()).boxes, DotOutline(graph.dot()).boxes] {
      let ofBed = try #require(outline.first { $0.key.contains("bed") }?.value)
      #expect(ofBed.count == 2)
      #expect(ofBed[0].contains("Lobby") && ofBed[1].contains("Cabin"))
      let ofDesk = try #require(outline.first { $0.key.contains("desk") }?.value)
      #expect(ofDesk.count == 1 && ofDesk[0].contains("Lobby"))
      let ofLamp = try #require(outline.first { $0.key.contains("lamp") }?.value)
      #expect(ofLamp.contains { $0.contains("Singleton") })
      #expect(!ofLamp.contains { $0.contains("Lobby") })
    }
  }

  @Test("R28 deferred edges are dashed, overridden nodes and captive dependencies marked, child pods boxes")
  func marks() throws {
    let pod = Pod("hotel")
    let plain = Provider("plain", scope: Cabin()) { _ in 1 }
    let later = Provider("later", scope: Cabin()) { _ in 2 }
    let holder = Provider("holder") { pod in
      _ = pod.factory(later)
      return pod.resolve(plain)
    }
    _ = pod.resolve(holder)
    let before = pod.graph
    #expect(MermaidOutline(before.mermaid()).dashedEdges == 1)
    #expect(DotOutline(before.dot()).dashedEdges == 1)
    #expect(before.mermaid().contains("captive") && before.dot().contains("captive"))
    #expect(before.captiveDependencies.map(\.dependency.name) == ["plain"])
    pod.overrideProvider(later, withValue: 3)
    _ = pod.resolve(holder)
    let after = pod.graph
    #expect(line("later", of: after.mermaid()) != line("later", of: before.mermaid()))
    #expect(line("later", of: after.dot()) != line("later", of: before.dot()))
    #expect(line("plain", of: after.dot()) == line("plain", of: before.dot()))

    let child = pod.makeChild("wing") { $0.overrideProvider(plain, withValue: 4) }
    _ = child.resolve(holder)
    let whole = pod.graph
    for boxes in [MermaidOutline(whole.mermaid()).titles, DotOutline(whole.dot()).titles] {
      #expect(boxes.contains { $0.contains("wing") })
    }
    #expect(whole.description.contains("wing"))
  }

  private func line(_ name: String, of text: String) -> String? {
    text.split(separator: "\n").first { $0.contains("\"\(name)") }.map { $0.trimmingCharacters(in: .whitespaces) }
  }

  @Test(
    "R28 names with quotes, brackets, newlines and Unicode keep both grammars",
    arguments: [
      "plain", "a \"quoted\" name", "brackets [a](b){c}<d>", "two\nlines", "return\r\nfeed", "back\\slash\\", "end",
      "subgraph", "naïve 日本語 🫛", "percent %% comment", "semi; colon: hash # amp &amp; pipe |x|", "`tick`", "-->", "",
      "tab\tbed", "\"", "\\\"", "\u{2028}separator\u{0}zero",
    ])
  func difficultNames(_ name: String) {
    struct Odd: ProviderScope, Hashable, CustomStringConvertible { var description: String }
    let pod = Pod("pod \(name)")
    let lower = Provider(name, scope: Odd(description: name)) { _ in 1 }
    let upper = Provider("\(name)2") { $0.resolve(lower) }
    let user = Provider.family(name) { (pod: Pod, text: String) in text.count + pod.resolve(lower) }
    _ = (pod.resolve(upper), pod.resolve(user(name)))
    pod.overrideProvider(lower, withValue: 2)
    _ = pod.makeChild("child \(name)") { $0.overrideProvider(lower, withValue: 3) }.resolve(upper)
    let graph = pod.graph
    #expect(MermaidOutline(graph.mermaid()).mistakes == [])
    #expect(DotOutline(graph.dot()).mistakes == [])
    #expect(!graph.description.isEmpty)
    if let problem = GraphvizProgram.problem(with: graph.dot()) { Issue.record("dot: \(problem)") }
  }

  @Test("R28 a quote, a backslash or a bracket before a combining mark is escaped")
  func combiningMarks() {
    let pod = Pod()
    _ = pod.resolve(Provider("\"\u{301}\\\u{301}<\u{301}\r\n\u{301}e\u{301}") { _ in 1 })
    let (mermaid, dot) = (pod.graph.mermaid(), pod.graph.dot())
    let expected = "[\"#quot;\u{301}#92;\u{301}#lt;\u{301}<br/>\u{301}e\u{301}<br/>PeapodTests"
    #expect(Array(mermaid.unicodeScalars).contains(Array(expected.unicodeScalars)))
    let label = #""\"\#u{301}\\\#u{301}<\#u{301}\n\#u{301}e\#u{301}\nPeapodTests"#
    #expect(Array(dot.unicodeScalars).contains(Array(label.unicodeScalars)))
    if let problem = GraphvizProgram.problem(with: dot) { Issue.record("dot: \(problem)") }
  }

  @Test("R28 Graphviz renders the text", .enabled(if: GraphvizProgram.isInstalled))
  func graphviz() async throws {
    let web = Web()
    let pod = Pod("web")
    for provider in web.all { _ = pod.resolve(provider) }
    _ = pod.makeChild("child") { $0.overrideProvider(web.all[3]) { _ in Part("mock") } }.resolve(web.all[39])
    #expect(GraphvizProgram.problem(with: pod.graph.dot()) == nil)
  }
}
