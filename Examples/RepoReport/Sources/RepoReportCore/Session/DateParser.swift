import Foundation
import Peapod
import PeapodSystem

/// Reads dates as people write them on a command line.
public struct DateParser: Sendable {
  let date: DateSource
  let timeZone: TimeZone

  /// Returns the beginning of what a text describes: a day begins at midnight.
  public func date(from text: String) throws(ReportError) -> Date {
    let text = text.lowercased()
    guard let date = day(text) ?? instant(text) ?? relative(text) else { throw .unreadableDate(text) }
    return date
  }

  /// Reads a day: `2026-01-31`.
  private func day(_ text: String) -> Date? {
    guard let match = text.wholeMatch(of: /(\d{4})-(\d{2})-(\d{2})/) else { return nil }
    let components = DateComponents(
      calendar: calendar, year: Int(match.1), month: Int(match.2), day: Int(match.3))
    return components.isValidDate ? components.date : nil
  }

  /// Reads a point in time: `2026-01-31T12:00:00Z`.
  private func instant(_ text: String) -> Date? {
    try? Date(text.uppercased(), strategy: .iso8601)
  }

  /// Reads what depends on today: `yesterday`, `2 weeks ago`.
  private func relative(_ text: String) -> Date? {
    let now = date.now
    let today = calendar.startOfDay(for: now)
    switch text {
    case "today": return today
    case "yesterday": return calendar.date(byAdding: .day, value: -1, to: today)
    default: break
    }
    guard let match = text.wholeMatch(of: /(\d{1,4}) (day|week|month|year)s?( ago)?/) else { return nil }
    let units: [Substring: Calendar.Component] = ["day": .day, "week": .weekOfYear, "month": .month, "year": .year]
    return calendar.date(byAdding: units[match.2]!, value: -Int(match.1)!, to: now)
  }

  /// The calendar in which people write such dates, whatever calendar they live by.
  private var calendar: Calendar {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = timeZone
    return calendar
  }
}

/// Reads dates by the clock of this machine.
public let dateParserProvider = Provider { pod in
  DateParser(date: pod.resolve(.date), timeZone: pod.resolve(.timeZone))
}
