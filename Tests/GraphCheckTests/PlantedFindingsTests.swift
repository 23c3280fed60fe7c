#if DEBUG && (os(macOS) || os(Linux))
  import GraphCheck
  import Testing

  /// Rule 34: the findings of the static check.
  @Suite struct PlantedFindingsTests {
    @Test("R34 each planted captive dependency and cycle is found at its provider, and nothing else")
    func planted() throws {
      let expected = try Fixture.expectations("finding")
      let found = Set(try GraphChecker().findings(of: Fixture.graph()).map(\.expectation))
      #expect(expected.count > 40)
      #expect(expected.subtracting(found).sorted() == [])
      #expect(found.subtracting(expected).sorted() == [])
    }

    @Test("R34 stores that share their sources give the findings of one store")
    func sharedSources() throws {
      let store = try #require(StoreLocator.besideProgram)
      var reader = GraphReader(roots: [Fixture.sources])
      reader.stores = [store, store]
      var checker = GraphChecker()
      checker.includesUnused = true
      let found = try checker.findings(of: reader.graph()).map(\.description)
      #expect(found == (try checker.findings(of: Fixture.graph()).map(\.description)))
    }

    @Test("R34 each provider that nothing resolves is found, where that is asked for")
    func unused() throws {
      let directory = "\(Fixture.sources)/PlantedUnused"
      let graph = try Fixture.graph(below: directory)
      var checker = GraphChecker()
      #expect(try checker.findings(of: graph).isEmpty)
      checker.includesUnused = true
      let found = Set(try checker.findings(of: graph).map(\.expectation))
      #expect(found == (try Fixture.expectations("unused", below: directory)))
      #expect(found.count == 4)
    }

    @Test("R34 a finding has the compiler's format, begins with the provider's name, and explains each step")
    func format() throws {
      let findings = try GraphChecker().findings(of: Fixture.graph())
      let finding = try #require(findings.first { $0.subject == "throughTransients keeps screenThing" })
      let lines = finding.description.split(separator: "\n")
      let place = #/(/.+/Captives\.swift):\d+:5: error: throughTransients \[singleton\] keeps .* \[captive\]/#
      #expect(try place.wholeMatch(in: lines[0]) != nil)
      let file = try #require(place.wholeMatch(in: lines[0])?.1)
      #expect(lines.count == 4)
      for (line, name) in zip(lines.dropFirst(), ["fresherThing", "freshThing", "screenThing"]) {
        #expect(line.hasPrefix("\(file):"))
        #expect(line.hasSuffix(": note: \(name) is resolved here"))
      }
      let function = try #require(findings.first { $0.subject == "throughFunction keeps screenThing" })
      #expect(function.notes.map(\.text) == ["makeThing(in:) is called here", "screenThing is resolved here"])
    }

    @Test("R34 comments, texts and regular expressions are no code")
    func comments() throws {
      let program = try CompiledProgram([
        "main.swift": """
        import Peapod
        /* { /* nested { */ " */
        struct ScreenScope: ProviderScope {}
        let screen = Provider(scope: /* scope: .singleton */ ScreenScope()) { _ in 1 }
        let app = Provider { pod /* pod.lazy(screen) */ in
          let words = ["\\"}", #"\\("#, /"{[^"]/.description, #\"""
            {\"""
            \"""#, ##\"""{"#"##, #\"""#] // {
          return words.count + pod.resolve(/* other, */ screen) }
        extension Regex { var description: String { "" } }
        print(Pod().resolve(app))
        """
      ])
      defer { program.remove() }
      #expect(try GraphChecker().findings(of: program.reader.graph()).map(\.subject) == ["app keeps screen"])
    }

    @Test("R34 an accepted finding is left out, and one that is accepted and gone is a finding")
    func accepted() throws {
      let graph = try Fixture.graph()
      let all = try GraphChecker().findings(of: graph)
      var checker = GraphChecker()
      checker.accepted = ["appThing keeps screenThing", "hen → egg → hen", "plainThing keeps screenThing"]
      let rest = try checker.findings(of: graph)
      #expect(rest.count == all.count - 1)
      #expect(!rest.contains { $0.subject == "appThing keeps screenThing" || $0.subject == "hen → egg → hen" })
      let stale = try #require(rest.first { $0.subject == "plainThing keeps screenThing" })
      #expect(stale.severity == .warning)
      #expect(stale.text.hasPrefix("plainThing keeps screenThing: this accepted finding was not found"))
      #expect(stale.location.file.hasSuffix("/PlantedCore/Things.swift"))
    }

    @Test("R34 a finding is accepted with its module, and not with another module", arguments: [false, true])
    func acceptedInModule(isOther: Bool) throws {
      let graph = try Fixture.graph()
      var checker = GraphChecker()
      let all = try checker.findings(of: graph)
      let captive = try #require(all.first { $0.subject == "appThing keeps screenThing" })
      let module = isOther ? "Elsewhere" : captive.location.module
      checker.accepted = ["\(module).\(captive.subject)"]
      let left = try checker.findings(of: graph)
      #expect(left.contains { $0.subject == captive.subject && $0.severity == captive.severity } == isOther)
      #expect(left.contains { $0.text.contains("this accepted finding was not found") } == isOther)
      checker.accepted = ["PlantedCore.plainThing keeps screenThing"]
      let stale = try checker.findings(of: graph).first { $0.text.contains("this accepted finding was not found") }
      #expect(stale?.location.file.hasSuffix("/PlantedCore/Things.swift") == true)
    }

    @Test("R34 an accepted unused provider is missed only where unused providers are looked for")
    func acceptedUnused() throws {
      let graph = try Fixture.graph(below: "\(Fixture.sources)/PlantedUnused")
      var checker = GraphChecker()
      checker.accepted = ["neverNamed", "usedByRoot"]
      #expect(try checker.findings(of: graph).isEmpty)
      checker.includesUnused = true
      let findings = try checker.findings(of: graph)
      #expect(!findings.contains { $0.subject == "neverNamed" })
      #expect(findings.first { $0.subject == "usedByRoot" }?.text.contains("was not found") == true)
    }
  }
#endif
