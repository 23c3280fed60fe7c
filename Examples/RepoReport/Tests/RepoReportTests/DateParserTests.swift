import Foundation
import PeapodSystem
import Testing

@testable import RepoReportCore

@Suite struct DateParserTests {
  private let parser = DateParser(date: .constant(.stopped), timeZone: .gmt)

  @Test(
    "Days, points in time and what depends on today are understood",
    arguments: [
      ("2026-01-31", "2026-01-31 00:00:00"), ("2024-02-29", "2024-02-29 00:00:00"),
      ("2026-01-31T12:00:00Z", "2026-01-31 12:00:00"), ("2026-01-31T12:00:00+02:00", "2026-01-31 10:00:00"),
      ("today", "2026-11-21 00:00:00"), ("Yesterday", "2026-11-20 00:00:00"), ("1 day", "2026-11-20 06:41:00"),
      ("2 weeks ago", "2026-11-07 06:41:00"), ("3 months", "2026-08-21 06:41:00"),
      ("1 year ago", "2025-11-21 06:41:00"),
    ])
  func understood(text: String, expected: String) throws {
    #expect(parser.timeZone.text(try parser.date(from: text)) == expected)
  }

  @Test(
    "What is no date is refused, not guessed at",
    arguments: ["", "soon", "2026-02-30", "2026-13-01", "31.1.2026", "-3 days", "99999 years", "12", "2026-1-1"])
  func refused(text: String) {
    #expect(throws: ReportError.unreadableDate(text)) { try parser.date(from: text) }
  }
}
