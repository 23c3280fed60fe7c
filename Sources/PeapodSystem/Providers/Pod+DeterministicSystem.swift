import Foundation
import Peapod

extension Pod {
  /// Overrides the system's providers so that every run of a test or preview gets the same values.
  ///
  /// | provider | value |
  /// | --- | --- |
  /// | `.date` | the constant date `now` |
  /// | `.uuid` | ``UUIDSource/incrementing`` |
  /// | `.random` | ``RandomSource/seeded(_:)`` with `seed` |
  /// | `.clock` | an ``ImmediateClock`` |
  /// | `.calendar` | the Gregorian calendar in GMT with the POSIX locale |
  /// | `.locale`, `.timeZone` | POSIX, GMT |
  /// | `.environment` | empty |
  ///
  /// `.urlSession` is not overridden. A later override of a provider replaces the override of this function:
  /// ```swift
  /// pod.useDeterministicSystem(now: Date(timeIntervalSince1970: 0), seed: 1)
  /// pod.overrideProvider(.clock, withValue: ManualClock())
  /// ```
  /// Each override scope (`withOverrides`) of the pod begins its own sequences. The test trait `.strict` accepts that a test
  /// resolves only some of these providers.
  ///
  /// - Parameters:
  ///   - now: The date of `.date`.
  ///   - seed: The number that selects the sequence of `.random`.
  public func useDeterministicSystem(now: Date, seed: UInt64) {
    OverrideSet.$isBeingMade.withValue(true) {
      overrideProvider(.date) { _ in .constant(now) }
      overrideProvider(.uuid) { _ in .incrementing }
      overrideProvider(.random) { _ in .seeded(seed) }
      overrideProvider(.clock) { _ in ImmediateClock() }
      overrideProvider(.calendar) { _ in .deterministic }
      overrideProvider(.locale) { _ in .posix }
      overrideProvider(.timeZone) { _ in .gmt }
      overrideProvider(.environment) { _ in ProcessEnvironment([:]) }
    }
  }
}

extension Locale {
  fileprivate static var posix: Locale { Locale(identifier: "en_US_POSIX") }
}

extension Calendar {
  /// The Gregorian calendar in GMT with the POSIX locale.
  fileprivate static var deterministic: Calendar {
    var calendar = Calendar(identifier: .gregorian)
    calendar.locale = .posix
    calendar.timeZone = .gmt
    return calendar
  }
}
