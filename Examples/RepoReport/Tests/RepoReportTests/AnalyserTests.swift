import Testing

@testable import RepoReportCore

@Suite struct AnalyserTests {
  private let ada = Author(name: "Ada", email: "ada@example.com")
  private let grace = Author(name: "Grace", email: "grace@example.com")
  private let alan = Author(name: "Alan", email: "alan@example.com")

  @Test("Totals run from the earliest day to the latest, in whatever order commits come")
  func totals() {
    let report = report(
      TotalsAnalyser(), [commit(ada, day: 3, ["a"]), commit(ada, day: 9), commit(ada, day: 1, ["b"])])
    #expect(report.totals == Totals(commits: 3, added: 2, deleted: 0, firstDay: "1970-01-02", lastDay: "1970-01-10"))
  }

  @Test("Authors are sorted by commits, then by name, and cut after some rows")
  func authors() {
    let commits = [commit(grace), commit(ada, ["a", "b"]), commit(alan), commit(grace)]
    let report = report(AuthorAnalyser(rows: 2), commits)
    #expect(report.authors.rows.map(\.author) == [grace, ada])
    #expect(report.authors.rows.map(\.added) == [0, 2])
    #expect(report.authors.total == 3)
    #expect(report.authors.omitted == 1)
  }

  @Test("Activity counts commits by weekday and hour")
  func activity() {
    let report = report(ActivityAnalyser(), [commit(ada, day: 0), commit(ada, day: 7), commit(ada, day: 4)])
    #expect(report.activity.commits[3][0] == 2)
    #expect(report.activity.commits[0][0] == 1)
    #expect(report.activity.commits.joined().reduce(0, +) == 3)
  }

  @Test("Files are sorted by how often they change")
  func files() {
    let report = report(FileAnalyser(rows: 10), [commit(ada, ["b", "c"]), commit(ada, ["c", "a"])])
    #expect(report.files.rows.map(\.path) == ["c", "a", "b"])
    #expect(report.files.rows.first == FileSummary(path: "c", changes: 2, added: 2, deleted: 0))
  }

  @Test("Files change together if that happened more than once")
  func pairs() {
    let commits = [
      commit(ada, ["a", "b", "c"]), commit(ada, ["b", "a"]), commit(ada, ["b"]), commit(ada, ["a", "a"]),
    ]
    let report = report(CouplingAnalyser(rows: 10), commits)
    #expect(report.pairs.rows == [FilePair(first: "a", second: "b", together: 2, share: 0.5)])
  }

  @Test("Commits of very many files say nothing about pairs")
  func largeCommits() {
    let commits = Array(repeating: commit(ada, ["a", "b", "c"]), count: 2)
    #expect(report(CouplingAnalyser(rows: 10, filesPerCommit: 2), commits).pairs.rows.isEmpty)
  }

  @Test("However many pairs there are, only some are remembered, and the frequent ones among them")
  func manyPairs() {
    let commits = (0..<1000).map { number in commit(ada, number % 10 == 0 ? ["a", "b"] : ["\(number)", "x"]) }
    let report = report(CouplingAnalyser(rows: 10, knownPairs: 50), commits)
    #expect(report.pairs.rows.map(\.together) == [100])
  }

  @Test("The bus factor is the number of people who made more than half of the changes")
  func folders() throws {
    let commits = [
      commit(ada, ["Sources/A/Deep/a", "Sources/A/b", "README"]), commit(grace, ["Sources/A/b", "Sources/B/c"]),
      commit(alan, ["Sources/B/c"]),
    ]
    let folders = report(FolderAnalyser(rows: 10), commits).folders.rows
    #expect(folders.map(\.folder) == ["Sources/A/", ".", "Sources/", "Sources/B/"])
    #expect(folders.map(\.busFactor) == [1, 2, 2, 2])
    #expect(folders.map(\.authors) == [2, 3, 3, 2])
    #expect(folders.map(\.changes) == [3, 6, 5, 2])
    #expect(folders.first?.mainAuthor == ada)
    #expect(folders.first?.mainShare == 2.0 / 3.0)
  }

  @Test("A file keeps its history when it is renamed, more than once too")
  func renames() {
    var renames = RenameTracker()
    let changes = [
      FileChange(path: "c", oldPath: "b", added: 0, deleted: 0), FileChange(path: "b", added: 0, deleted: 0),
      FileChange(path: "b", oldPath: "a", added: 0, deleted: 0), FileChange(path: "a", added: 0, deleted: 0),
      FileChange(path: "d", added: 0, deleted: 0),
    ]
    #expect(changes.map { renames.follow($0).path } == ["c", "c", "c", "c", "d"])
  }

  private func commit(_ author: Author, day: Int = 0, _ paths: [String] = []) -> Commit {
    Commit(
      author: author, date: CommitDate(seconds: day * 86_400, offset: 0),
      changes: paths.map { FileChange(path: $0, added: 1, deleted: 0) })
  }

  private func report(_ analyser: any Analyser, _ commits: [Commit]) -> Report {
    var report = Report(path: ".", generated: .stopped)
    for commit in commits { analyser.learn(from: commit) }
    analyser.complete(&report)
    return report
  }
}
