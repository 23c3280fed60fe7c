import Foundation
import Testing

@testable import RepoReportCore

/// The same, with the git that is installed.
@Suite struct RealRepositoryTests {
  @Test("A real repository is reported on: renames, a merge, a mail map, names that need care")
  func report() async throws {
    let repository = try await TemporaryRepository()
    try repository.write("one\ntwo\nthree\n", to: "a file.txt")
    try repository.write("\u{0}\u{1}", to: "binary")
    try await repository.commit("Ada L. <ada@home.example>", "2026-03-02T10:30:00+0100")
    try await repository.run("checkout", "--quiet", "-b", "side")
    try repository.write("x\n", to: "Sources/A/naïve \"name\".txt")
    try await repository.commit("Grace <grace@example.com>", "2026-03-03T23:30:00-0800")
    try await repository.run("checkout", "--quiet", "-")
    try await repository.run("mv", "a file.txt", "moved file.txt")
    try repository.write("Ada <ada@example.com> <ada@home.example>\n", to: ".mailmap")
    try await repository.commit("Ada <ada@example.com>", "2026-03-04T10:30:00+0100")
    // Not at the time of the test, which may be the weekday and the hour of another commit.
    try await repository.run("merge", "--quiet", "--no-commit", "side")
    try await repository.commit("Committer <c@example.com>", "2026-03-05T12:00:00+0100")

    let settings = Settings(format: .json)
    let run = await Run([repository.path], runner: SystemProcessRunner(), settings: settings)
    #expect(run.errors == "")
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    let document = try decoder.decode(Document.self, from: Data(run.output.utf8))
    let report = try #require(document.reports.first)
    #expect(report.totals.commits == 4)
    #expect(report.totals.added == 5)
    #expect(report.authors.rows.map(\.author.name) == ["Ada", "Committer", "Grace"])
    #expect(report.authors.rows.map(\.commits) == [2, 1, 1])
    #expect(report.activity.commits[0][10] == 1)
    #expect(report.activity.commits[1][23] == 1)
    #expect(report.activity.commits[3][12] == 1)
    #expect(report.files.rows.first == FileSummary(path: "moved file.txt", changes: 2, added: 3, deleted: 0))
    #expect(report.files.rows.contains { $0.path == "Sources/A/naïve \"name\".txt" })
    #expect(report.folders.rows.contains { $0.folder == "Sources/A/" && $0.busFactor == 1 })
  }

  @Test("An empty repository, a folder that is none, a shallow clone and no folder at all, in one run")
  func oddPaths() async throws {
    let empty = try await TemporaryRepository()
    let full = try await TemporaryRepository()
    try await full.commit("Ada <ada@example.com>", "2026-03-02T10:30:00+0100")
    try await full.commit("Ada <ada@example.com>", "2026-03-03T10:30:00+0100")
    let clone = try await TemporaryRepository()
    try await clone.run("fetch", "--quiet", "--depth=1", "file://\(full.folder.path())")
    try await clone.run("reset", "--quiet", "--hard", "FETCH_HEAD")

    let paths = ["/", empty.path, "/no/such/folder", clone.path]
    let run = await Run(paths, runner: SystemProcessRunner())
    #expect(!run.succeeded)
    #expect(run.output.contains("There are no commits."))
    #expect(run.output.contains("This is a shallow clone: the report covers a part of the history. 1 commit"))
    let lines = run.errors.split(separator: "\n").map(String.init)
    #expect(lines.count == 3)
    #expect(lines.first == "repo-report: /: this is no git repository")
    #expect(lines.dropFirst().first == "repo-report: /no/such/folder: this is no git repository")
    #expect(lines.last?.contains("shallow clone") == true)
  }

  @Test("Dates limit what is read")
  func since() async throws {
    let repository = try await TemporaryRepository()
    try await repository.commit("Ada <ada@example.com>", "2026-03-02T10:30:00+0100")
    let future = Date.now.addingTimeInterval(100_000)
    for (since, expected) in [(future, "There are no commits."), (.distantPast, "1 commit"), (.now - 1000, "1 commit")]
    {
      let run = await Run([repository.path], runner: SystemProcessRunner(), settings: Settings(since: since))
      #expect(run.output.contains(expected))
      #expect(run.succeeded)
    }
  }
}
