#if canImport(SwiftUI)
  import Peapod
  import SwiftUI

  extension Scene {
    /// Sets the pod in which the views of this scene resolve.
    ///
    /// ```swift
    /// WindowGroup { LibraryView() }.pod(appPod)
    /// ```
    /// - Parameter pod: The pod of the environment.
    /// - Returns: A scene with the pod in its environment.
    nonisolated public func pod(_ pod: Pod) -> some Scene {
      environment(\.pod, pod)
    }
  }
#endif
