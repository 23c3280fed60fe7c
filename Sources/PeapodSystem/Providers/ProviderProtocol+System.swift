import Foundation
import Peapod

// These members serve functions that take any provider: `pod.isCached(.date)`, `pod.requireOverride(.date)`.

extension ProviderProtocol where Self == Provider<DateSource> {
  /// The source of the current date: ``DateSource/system``.
  public static var date: Self { SystemProviders.date }
}

extension ProviderProtocol where Self == Provider<UUIDSource> {
  /// The source of UUIDs: ``UUIDSource/system``.
  public static var uuid: Self { SystemProviders.uuid }
}

extension ProviderProtocol where Self == Provider<RandomSource> {
  /// The source of random numbers: ``RandomSource/system``.
  public static var random: Self { SystemProviders.random }
}

extension ProviderProtocol where Self == Provider<any Clock<Duration>> {
  /// The clock for measuring and sleeping: a `ContinuousClock`.
  public static var clock: Self { SystemProviders.clock }
}

extension ProviderProtocol where Self == Provider<Calendar> {
  /// The user's calendar, which follows changes of the settings.
  public static var calendar: Self { SystemProviders.calendar }
}

extension ProviderProtocol where Self == Provider<Locale> {
  /// The user's locale, which follows changes of the settings.
  public static var locale: Self { SystemProviders.locale }
}

extension ProviderProtocol where Self == Provider<TimeZone> {
  /// The time zone of the system, which follows changes of the settings.
  public static var timeZone: Self { SystemProviders.timeZone }
}

extension ProviderProtocol where Self == Provider<ProcessEnvironment> {
  /// The environment variables of this process, read when a pod first resolves the provider.
  public static var environment: Self { SystemProviders.environment }
}

#if canImport(Darwin)
  extension ProviderProtocol where Self == Provider<URLSession> {
    /// The shared URL session, on Apple's platforms only.
    public static var urlSession: Self { SystemProviders.urlSession }
  }
#endif
