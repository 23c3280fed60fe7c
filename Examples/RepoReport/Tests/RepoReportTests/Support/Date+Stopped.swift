import Foundation

extension Date {
  /// The date in tests: the 21st of November 2026, at 06:41 in Greenwich.
  static let stopped = Date(timeIntervalSince1970: 1_795_243_260)
}
