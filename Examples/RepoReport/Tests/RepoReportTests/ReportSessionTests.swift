import Foundation
import Testing

@testable import RepoReportCore

/// Every test runs on the one global pod, at the same time as all others, with overrides of its own.
@Suite struct ReportSessionTests {
  @Test("A report follows the mail map and the names that files have now")
  func report() async throws {
    let run = await Run(["here"], runner: RecordedGit(["here": .small]))
    #expect(run.succeeded)
    #expect(run.errors == "")
    #expect(
      run.output == """
        Repository here
        Written 2026-11-21 06:41:00. 3 commits by 2 authors from 2026-03-02 to 2026-03-05: 20 lines added, 1 deleted.

        Authors
          author                     commits  added  deleted
          Ada <ada@example.com>            2     15        0
          Grace <grace@example.com>        1      5        1

        Activity by weekday and hour
          day        commits  0h    6h    12h   18h
          Monday           1  ··········█·············
          Tuesday          1  ··········█·············
          Wednesday        0  ························
          Thursday         1  ···········█············
          Friday           0  ························
          Saturday         0  ························
          Sunday           0  ························

        Most changed files
          file                     commits  added  deleted
          Sources/Engine.swift           3     13        1
          Tests/EngineTests.swift        2      7        0
          logo.png                       1      0        0

        Files that change together
          file                  and file                 commits  of either
          Sources/Engine.swift  Tests/EngineTests.swift        2        67%

        Folders, those that the fewest people know first
          folder    changes  authors  bus factor  mostly by  share
          .               6        2           1  Ada          67%
          Sources/        3        2           1  Ada          67%
          Tests/          2        2           2  Ada          50%

        """)
  }

  @Test("Reports come in the order of the arguments, and a path without a repository does not stop the others")
  func order() async {
    let git = RecordedGit(["a": .small, "b": .empty, "d": .small])
    let run = await Run(["d", "nowhere", "b", "a"], runner: git)
    let titles = run.output.split(separator: "\n").filter { $0.hasPrefix("Repository ") }
    #expect(titles == ["Repository d", "Repository b", "Repository a"])
    #expect(run.errors == "repo-report: nowhere: this is no git repository\n")
    #expect(!run.succeeded)
  }

  @Test("Repositories are read at the same time")
  func together() async {
    // Nobody gets a log before all have asked for one: read one after the other, this would never end.
    let meeting = MeetingPoint(of: 3)
    let git = RecordedGit(["a": .small, "b": .small, "c": .small]) { await meeting.arrive() }
    #expect(await Run(["a", "b", "c"], runner: git).succeeded)
  }

  @Test("More repositories than are read at the same time are all reported, in order")
  func many() async {
    let paths = (0..<50).map { "repository-\($0)" }
    let git = RecordedGit(Dictionary(uniqueKeysWithValues: paths.map { ($0, .small) }))
    let run = await Run(paths, runner: git)
    let titles = run.output.split(separator: "\n").filter { $0.hasPrefix("Repository ") }
    #expect(titles == paths.map { "Repository \($0)" })
  }

  @Test("Without git there is one clear line for a path, and no report")
  func noGit() async {
    let run = await Run(["here"], runner: NoGit())
    #expect(run.output == "")
    #expect(run.errors == "repo-report: here: git was not found; install it, or add its folder to PATH\n")
    #expect(!run.succeeded)
  }

  @Test("A repository without commits gets a report that says so")
  func empty() async {
    let run = await Run(["new"], runner: RecordedGit(["new": .empty]))
    #expect(run.output == "Repository new\nWritten 2026-11-21 06:41:00. There are no commits.\n")
    #expect(run.succeeded)
  }

  @Test("A shallow clone is reported on, and complained about")
  func shallow() async throws {
    var recording = Recording.small
    recording.isShallow = true
    let run = await Run(["clone"], runner: RecordedGit(["clone": recording]))
    #expect(run.output.contains("This is a shallow clone: the report covers a part of the history. 3 commits"))
    #expect(run.errors.hasPrefix("repo-report: clone: this is a shallow clone"))
    #expect(run.errors.filter { $0 == "\n" }.count == 1)
    #expect(!run.succeeded)
  }

  @Test("Other complaints of git are passed on in one line")
  func otherFailures() async {
    let failure = ProcessFailure(status: 128, message: "warning: x\nfatal: bad object HEAD\nhint: y\n")
    let run = await Run(["broken"], runner: RecordedGit(["broken": Recording(failure: failure)]))
    #expect(run.errors == "repo-report: broken: git failed: fatal: bad object HEAD\n")
  }

  @Test("A path, a name or a file cannot steer the terminal")
  func controlCharacters() async {
    let log = "commit␀\u{1B}[31mMallory␀m@x␀0 +0000␀⏎1⇥0⇥a\r\u{202E}b␀"
    let run = await Run(["\u{1B}c", "\u{1B}d"], runner: RecordedGit(["\u{1B}c": .log(log)]))
    #expect(!(run.output + run.errors).contains { "\u{1B}\r\u{202E}".contains($0) })
    #expect(run.output.contains("\u{FFFD}[31mMallory"))
  }

  @Test("The date is passed to git as a number, which it cannot misunderstand")
  func since() async throws {
    let git = RecordedGit(["here": .small])
    let since = Date(timeIntervalSince1970: 1_772_000_000)
    let run = await Run(["here"], runner: git, settings: Settings(since: since))
    #expect(try #require(git.commands.last).arguments.contains("--since=@1772000000 +0000"))
    #expect(run.output.contains("What is older than 2026-02-25 06:13:20 is left out."))
  }

  @Test(
    "Progress is shown on a terminal only, counts all repositories together, and is erased", arguments: [true, false])
  func progress(isWatched: Bool) async {
    let commits = String(repeating: "commit␀Ada␀a@x␀0 +0000␀", count: 300)
    let git = RecordedGit(["a": .log(commits), "b": .log(commits)])
    let run = await Run(["a", "b"], runner: git, isWatched: isWatched)
    #expect(run.errors.contains("\r\u{1B}[2K500 commits read") == isWatched)
    #expect(run.errors.hasSuffix("\r\u{1B}[2K") == isWatched)
    #expect(isWatched || run.errors.isEmpty)
  }

  @Test("A hundred runs at once on one global pod never mix", arguments: 0..<100)
  func parallel(number: Int) async {
    let log = "commit␀Author \(number)␀a@x␀0 +0000␀"
    let run = await Run(["path"], runner: RecordedGit(["path": .log(log)]))
    #expect(run.output.contains("Author \(number) <a@x>"))
    #expect(run.output.contains("1 commit by 1 author"))
  }
}
