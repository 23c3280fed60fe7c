import Foundation
import Peapod

/// The declarations behind the static members of `Provider`.
///
/// A generic type cannot have stored static properties, so this type stores the declarations.
enum SystemProviders {
  static let date = Provider("date") { _ in DateSource.system }
  static let uuid = Provider("uuid") { _ in UUIDSource.system }
  static let random = Provider("random") { _ in RandomSource.system }
  static let clock = Provider<any Clock<Duration>>("clock") { _ in ContinuousClock() }
  static let calendar = Provider("calendar") { _ in Calendar.autoupdatingCurrent }
  static let locale = Provider("locale") { _ in Locale.autoupdatingCurrent }
  static let timeZone = Provider("timeZone") { _ in TimeZone.autoupdatingCurrent }
  static let environment = Provider("environment") { _ in ProcessEnvironment.system }
  #if canImport(Darwin)
    static let urlSession = Provider("urlSession") { _ in URLSession.shared }
  #endif
}
