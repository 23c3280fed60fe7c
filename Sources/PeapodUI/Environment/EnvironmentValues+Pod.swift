#if canImport(SwiftUI)
  import Peapod
  import SwiftUI

  extension EnvironmentValues {
    /// The pod in which views resolve; `Pod.current` where no `.pod` modifier says otherwise.
    ///
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
