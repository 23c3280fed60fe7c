#if DEBUG && (os(macOS) || os(Linux))
  import PeapodTesting
  import Synchronization
  import Testing

  @Suite("expectSoundGraph()")
  struct ExpectSoundGraphTests {
    private func issues(_ body: () -> Void) -> [Issue] {
      let recorded = Mutex<[Issue]>([])
      withKnownIssue(isIntermittent: true) {
        body()
      } matching: { issue in
        recorded.withLock { $0.append(issue) }
        return true
      }
      return recorded.withLock { $0 }
    }

    @Test("R34 records each finding as an issue at the place of its provider")
    func findings() throws {
      let issues = issues { expectSoundGraph(root: Fixture.sources) }
      let found = issues.map { issue in
        let text = issue.comments.map(\.rawValue).joined().split(separator: "\n").first ?? ""
        return Fixture.Expectation(
          file: issue.sourceLocation?.filePath ?? "", line: issue.sourceLocation?.line ?? 0,
          text: "\(issue.severity == .error ? "error" : "warning"): \(text)")
      }
      #expect(Set(found) == (try Fixture.expectations("finding")))
      #expect(found.count == Set(found).count)
      let app = try #require(issues.first { $0.comments.contains { $0.rawValue.hasPrefix("appThing ") } })
      #expect(app.sourceLocation?.fileID == "Planted/Captives.swift")
      #expect(app.sourceLocation?.column == 5)
    }

    @Test("R34 is content with a sound graph, and finds unused providers where that is asked for")
    func sound() {
      expectSoundGraph(root: "\(Fixture.sources)/PlantedUnused")
      let all = issues { expectSoundGraph(includingUnused: true, root: "\(Fixture.sources)/PlantedUnused") }
      #expect(all.count == 4)
      let own = issues {
        expectSoundGraph(includingUnused: true, allowingUnusedPublic: true, root: "\(Fixture.sources)/PlantedUnused")
      }
      #expect(own.count == 3)
    }

    @Test("R34 records an issue at the test where nothing can be checked")
    func uncheckable() {
      let issues = issues { expectSoundGraph(root: "/no/package") }
      #expect(issues.count == 1)
      #expect(issues.first?.severity == .error)
      #expect(issues.first?.comments.contains { $0.rawValue.contains("There is no directory at /no/package") } == true)
      #expect(issues.first?.sourceLocation?.fileID == "GraphCheckTests/ExpectSoundGraphTests.swift")
    }
  }
#endif
