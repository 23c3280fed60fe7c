#if canImport(SwiftUI)
  import Peapod
  import SwiftUI

  /// Gives a view a pod that shares nothing with other pods.
  struct PreviewPodModifier: ViewModifier {
    let scopes: [any ProviderScope]
    let configure: @MainActor @Sendable (Pod) -> Void
    @State private var keeper = PodKeeper()

    func body(content: Content) -> some View {
      content.pod(keeper.root(owning: scopes, configure: configure))
    }
  }
#endif
