import Foundation
import Peapod

/// Says what time it is, and where.
struct WallClock: Sendable {
  var timeZone = TimeZone.current
  var now: @Sendable () -> Date = { Date() }

  /// The calendar in which people here write dates.
  var calendar: Calendar {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = timeZone
    return calendar
  }

  /// Returns a date as in `2026-11-21 06:41:00`.
  func text(_ date: Date) -> String {
    var style = Date.ISO8601FormatStyle(timeZone: timeZone)
    style = style.year().month().day().dateTimeSeparator(.space).time(includingFractionalSeconds: false)
    return date.formatted(style)
  }
}

let clockProvider = Provider { _ in WallClock() }
