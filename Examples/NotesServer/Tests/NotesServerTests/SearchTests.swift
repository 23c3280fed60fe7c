import Testing

/// Lists of notes: what they contain, and page by page.
@Suite struct SearchTests {
  @Test("A page ends where the next begins, whatever comes and goes meanwhile")
  func paging() async throws {
    let service = TestService()
    try await service.run { client in
      let token = try await client.token(of: "ada")
      // Several at one moment too.
      for number in 0..<25 {
        if number % 3 == 0 { service.clock.advance(bySeconds: 1) }
        _ = try await client.note("note \(number)", token)
      }
      var titles: [String] = []
      var query = "limit=10"
      var sizes: [Int] = []
      while true {
        let page: SentPage = try await client.get("/notes?\(query)", token).decoded()
        titles += page.notes.map(\.title)
        sizes.append(page.notes.count)
        guard let next = page.next else { break }
        query = "limit=10&after=\(next)"
        service.clock.advance(bySeconds: 1)
        _ = try await client.note("a new one", token)
        if let last = page.notes.last { _ = try await client.delete("/notes/\(last.id)", token) }
      }
      #expect(sizes == [10, 10, 5])
      #expect(Set(titles) == Set((0..<25).map { "note \($0)" }))
      #expect(titles.first == "note 24")
    }
  }

  @Test(
    "A search finds the notes that contain all the words, or their beginnings",
    arguments: [
      ("tea", ["Tea", "Shopping"]), ("TEA+milk", ["Shopping"]), ("dar", ["Tea"]), ("creme", ["Crème"]),
      ("water", []), ("%22tea", ["Tea", "Shopping"]), ("tea+AND", []), ("te*", ["Tea", "Shopping"]), ("title:tea", []),
      ("%28%29", []), ("", []), ("tea+-milk", ["Shopping"]), ("null", []),
    ])
  func search(words: String, found: [String]) async throws {
    let service = TestService()
    try await service.run { client in
      let token = try await client.token(of: "ada")
      for (title, text) in [("Shopping", "milk, tea"), ("Tea", "Darjeeling"), ("Crème", "brûlée")] {
        service.clock.advance(bySeconds: 1)
        _ = try await client.note(title, text, token)
      }
      let answer = try await client.get("/notes?search=\(words)", token)
      #expect(answer.status == 200)
      #expect(try answer.decoded(as: SentPage.self).notes.map(\.title) == found)
    }
  }

  @Test("A search follows updates and deletions, and has pages too")
  func searchAfterChanges() async throws {
    let service = TestService()
    try await service.run { client in
      let token = try await client.token(of: "ada")
      var notes: [SentNote] = []
      for number in 0..<5 {
        service.clock.advance(bySeconds: 1)
        notes.append(try await client.note("apple \(number)", token))
      }
      _ = try await client.put("/notes/\(notes[0].id)", ["title": "pear", "text": ""], token, ifMatch: "*")
      _ = try await client.delete("/notes/\(notes[1].id)", token)
      let first: SentPage = try await client.get("/notes?search=apple&limit=2", token).decoded()
      #expect(first.notes.map(\.title) == ["apple 4", "apple 3"])
      let next = try #require(first.next)
      let second: SentPage = try await client.get("/notes?search=apple&limit=2&after=\(next)", token).decoded()
      #expect(second.notes.map(\.title) == ["apple 2"])
      #expect(second.next == nil)
    }
  }

  @Test(
    "A query that cannot be accepted is refused, field by field",
    arguments: [
      ("limit=0", "limit"), ("limit=101", "limit"), ("limit=x", "limit"), ("after=x", "after"), ("after=", "after"),
      ("sort=title", "sort"), ("search=\(String(repeating: "a", count: 201))", "search"),
    ])
  func validation(query: String, field: String) async throws {
    try await TestService().run { client in
      let answer = try await client.get("/notes?\(query)", client.token(of: "ada"))
      #expect(answer.status == 422)
      #expect(try answer.problem.errors?.map(\.field) == [field])
    }
  }
}
