import Foundation

@testable import RepoReportCore

extension WallClock {
  /// A clock in Greenwich that stopped on the 21st of November 2026, at 06:41.
  static let stopped = WallClock(timeZone: .gmt) { Date(timeIntervalSince1970: 1_795_243_260) }
}
