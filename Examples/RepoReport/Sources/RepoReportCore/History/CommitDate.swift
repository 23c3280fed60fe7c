import Foundation

/// When a commit was made, by the clock on its author's wall.
struct CommitDate: Hashable, Sendable {
  private static let secondsPerDay = 86_400

  /// Seconds since the beginning of 1970 on the author's clock.
  private let localSeconds: Int

  /// Seconds since the beginning of 1970 in universal time.
  let seconds: Int

  init(seconds: Int, offset: Int) {
    self.seconds = seconds
    localSeconds = seconds + offset
  }

  /// Reads what git calls a raw date: `1795243693 +0100`.
  init?(raw: some StringProtocol) {
    let parts = raw.split(separator: " ")
    guard parts.count == 2, let seconds = Int(parts[0]), let zone = Int(parts[1]) else { return nil }
    // Far outside the range of any calendar there is nothing to report, and arithmetic would overflow.
    guard seconds.magnitude < 1 << 40, zone.magnitude < 10_000 else { return nil }
    self.init(seconds: seconds, offset: (zone / 100 * 60 + zone % 100) * 60)
  }

  /// The day of the week: 0 is Monday, 6 is Sunday.
  var weekday: Int {
    let weekdayOfFirstDay = 3
    return (localSeconds.dividedDown(by: Self.secondsPerDay) + weekdayOfFirstDay).remainderUp(by: 7)
  }

  /// The hour of the day, 0 to 23.
  var hour: Int { localSeconds.remainderUp(by: Self.secondsPerDay) / 3600 }

  /// The day, as in `2026-11-21`.
  var day: String {
    Date(timeIntervalSince1970: Double(localSeconds)).formatted(.iso8601.year().month().day())
  }
}

extension Int {
  fileprivate func dividedDown(by divisor: Int) -> Int { (self - remainderUp(by: divisor)) / divisor }

  /// The remainder that is never negative.
  fileprivate func remainderUp(by divisor: Int) -> Int { (self % divisor + divisor) % divisor }
}
