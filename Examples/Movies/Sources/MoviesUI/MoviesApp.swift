#if canImport(SwiftUI)
  import Peapod
  import PeapodUI
  import SwiftUI

  /// The app, in the one pod that everything else in the process sees too.
  public struct MoviesApp: App {
    /// Creates the app.
    public init() {}

    /// One window with the library.
    public var body: some Scene {
      WindowGroup {
        // Behind the first screen, which shows an error of the library itself.
        MovieBrowser().task { _ = try? await Pod.shared.prepareMovies() }
      }
      .pod(.shared)
    }
  }
#endif
