#if canImport(SwiftUI)
  import Peapod
  import SwiftUI

  extension EnvironmentValues {
    /// The pod in which views resolve.
    ///
    /// Without a `.pod` modifier, this is `Pod.current`.
    /// ```swift
    /// @Environment(\.pod) private var pod
    /// ```
    nonisolated public var pod: Pod {
      get { self[PodKey.self] }
      set { self[PodKey.self] = newValue }
    }
  }

  nonisolated private struct PodKey: EnvironmentKey {
    static var defaultValue: Pod { .current }
  }
#endif
