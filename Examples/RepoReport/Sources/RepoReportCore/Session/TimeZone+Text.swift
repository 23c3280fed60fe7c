import Foundation

extension TimeZone {
  /// Returns a date as people here write it: `2026-11-21 06:41:00`.
  func text(_ date: Date) -> String {
    var style = Date.ISO8601FormatStyle(timeZone: self)
    style = style.year().month().day().dateTimeSeparator(.space).time(includingFractionalSeconds: false)
    return date.formatted(style)
  }
}
