import Foundation
import Peapod

extension Provider where Value == DateSource {
  /// The source of the current date: ``DateSource/system``.
  public static var date: Provider<DateSource> { SystemProviders.date }
}

extension Provider where Value == UUIDSource {
  /// The source of UUIDs: ``UUIDSource/system``.
  public static var uuid: Provider<UUIDSource> { SystemProviders.uuid }
}

extension Provider where Value == RandomSource {
  /// The source of random numbers: ``RandomSource/system``.
  public static var random: Provider<RandomSource> { SystemProviders.random }
}

extension Provider where Value == any Clock<Duration> {
  /// The clock for measuring and sleeping: a `ContinuousClock`.
  public static var clock: Provider<any Clock<Duration>> { SystemProviders.clock }
}

extension Provider where Value == Calendar {
  /// The user's calendar, which follows changes of the settings.
  public static var calendar: Provider<Calendar> { SystemProviders.calendar }
}

extension Provider where Value == Locale {
  /// The user's locale, which follows changes of the settings.
  public static var locale: Provider<Locale> { SystemProviders.locale }
}

extension Provider where Value == TimeZone {
  /// The time zone of the system, which follows changes of the settings.
  public static var timeZone: Provider<TimeZone> { SystemProviders.timeZone }
}

extension Provider where Value == ProcessEnvironment {
  /// The environment variables of this process, read when a pod first resolves the provider.
  public static var environment: Provider<ProcessEnvironment> { SystemProviders.environment }
}

#if canImport(Darwin)
  extension Provider where Value == URLSession {
    /// The shared URL session, on Apple's platforms only.
    ///
    /// The process keeps this session. A test with the trait `.strict` that resolves it calls `allowOutliving(.urlSession)`.
    public static var urlSession: Provider<URLSession> { SystemProviders.urlSession }
  }
#endif
