import Testing

@testable import RepoReportCore

@Suite struct CommitDateTests {
  @Test(
    "Day, weekday and hour are those on the author's clock",
    arguments: [
      ("0 +0000", "1970-01-01", 3, 0), ("1795243693 +0000", "2026-11-21", 5, 6),
      ("1772409600 -0100", "2026-03-01", 6, 23), ("1772407800 +0530", "2026-03-02", 0, 5),
      ("-1 +0000", "1969-12-31", 2, 23), ("-864000 +0000", "1969-12-22", 0, 0),
    ])
  func calendar(raw: String, day: String, weekday: Int, hour: Int) throws {
    let date = try #require(CommitDate(raw: raw))
    #expect(date.day == day)
    #expect(date.weekday == weekday)
    #expect(date.hour == hour)
  }

  @Test(
    "What is no date, or none of any calendar, is refused",
    arguments: ["", "now", "1 2 3", "9223372036854775807 +0000", "0 +99999"])
  func refused(raw: String) {
    #expect(CommitDate(raw: raw) == nil)
  }
}
