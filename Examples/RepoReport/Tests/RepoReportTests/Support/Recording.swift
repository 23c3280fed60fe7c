@testable import RepoReportCore

/// The output of git about one repository.
struct Recording: Sendable {
  /// The pieces in which it wrote the log.
  var log: [[UInt8]] = []
  var mailMap: String?
  var isShallow = false
  var hasCommits = true
  /// With what git fails, whatever it is asked.
  var failure: ProcessFailure?

  static func log(_ text: String, mailMap: String? = nil, isShallow: Bool = false) -> Self {
    Self(log: [text.recorded], mailMap: mailMap, isShallow: isShallow)
  }

  static let empty = Self(hasCommits: false)

  static let missing = Self(
    failure: ProcessFailure(
      status: 128, message: "fatal: not a git repository (or any of the parent directories): .git\n"))

  /// Three commits by two people, recorded in March 2026.
  static let small = log(
    """
    commit␀Grace␀grace@example.com␀1772706600 +0100␀⏎1⇥1⇥Sources/Engine.swift␀4⇥0⇥Tests/EngineTests.swift␀
    commit␀Ada␀ada@example.com␀1772530200 +0100␀⏎2⇥0⇥␀Engine.swift␀Sources/Engine.swift␀3⇥0⇥Tests/EngineTests.swift␀
    commit␀Ada L.␀ada@home.example␀1772443800 +0100␀⏎10⇥0⇥Engine.swift␀-⇥-⇥logo.png␀
    """,
    mailMap: "Ada <ada@example.com> <ada@home.example>\n")
}
