#if DEBUG && (os(macOS) || os(Linux))
  import Foundation
  import GraphCheck
  import Testing

  /// Rules 29 and 34: for plain providers, the run and the source show the same.
  ///
  /// `PEAPOD_GRAPH_SEEDS` is the number of random programs, 2 unless it is given.
  @Suite struct AgreementTests {
    private static let seeds = 1...UInt64(ProcessInfo.processInfo.environment["PEAPOD_GRAPH_SEEDS"] ?? "2")!

    @Test("R29 R34 a run and the source show the same captive dependencies and cycles", arguments: seeds)
    func agree(seed: UInt64) throws {
      let program = try CompiledProgram(RandomProgram(seed: seed, groups: 24).files)
      defer { program.remove() }
      let lines = Set(try program.lines())
      let findings = try GraphChecker().findings(of: program.reader.graph())
      let captives = Set(findings.filter { $0.kind == .captive }.map(\.subject))
      #expect(captives == lines.filter { $0.contains(" keeps ") })
      #expect(findings.allSatisfy { $0.severity == .error })
      #expect(captives.count > 5)
      // The source shows every cycle. A run stops at the first one of a group.
      let found = Set(
        findings.filter { $0.kind == .cycle }.flatMap { $0.subject.split(separator: " → ").map(String.init) })
      let built = Set(lines.filter { $0.hasPrefix("cycle ") }.map { String($0.dropFirst("cycle ".count)) })
      #expect(built.subtracting(found) == [])
      #expect(groups(found) == groups(built))
      #expect(!built.isEmpty)
    }

    /// The groups of some providers: `group3` of `group3Node1`.
    private func groups(_ names: Set<String>) -> Set<Substring> {
      Set(names.map { $0.prefix { $0 != "N" } })
    }
  }
#endif
