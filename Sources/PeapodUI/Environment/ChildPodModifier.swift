#if canImport(SwiftUI)
  import Peapod
  import SwiftUI

  /// Gives a view a child of the environment's pod.
  struct ChildPodModifier: ViewModifier {
    let scopes: [any ProviderScope]
    let configure: @MainActor @Sendable (Pod) -> Void
    @Environment(\.pod) private var parent
    @State private var keeper = PodKeeper()

    func body(content: Content) -> some View {
      content.pod(keeper.child(of: parent, owning: scopes, configure: configure))
    }
  }
#endif
