#if canImport(SwiftUI)
  import Peapod
  import SwiftUI

  extension View {
    /// Sets the pod in which this view and the views inside it resolve.
    ///
    /// - Parameter pod: The pod of the environment.
    /// - Returns: A view with the pod in its environment.
    nonisolated public func pod(_ pod: Pod) -> some View {
      environment(\.pod, pod)
    }

    /// Makes a child of the environment's pod for this view and the views inside it.
    ///
    /// ```swift
    /// SignUpView().childPod(owning: [SignUpScope()]) { $0.overrideProvider(draftProvider) { _ in Draft(email: email) } }
    /// ```
    /// The child pod is made when the view is first drawn, with the `configure` closure of that moment. It is released with
    /// the view's identity, and its instances are disposed. If the environment's pod is replaced, the modifier makes a new
    /// child.
    ///
    /// For another account or document, give the view a new identity, with `.id` after `.childPod`. An `.id` before
    /// `.childPod` does not replace the child pod.
    /// ```swift
    /// HomeView().childPod(owning: [AccountScope()]).id(account.id)
    /// ```
    /// A `NavigationStack` gives the views that it pushes its own environment. To reach these views, put `.childPod` on the
    /// `NavigationStack`.
    ///
    /// - Parameters:
    ///   - scopes: The scopes that the child owns. Their `children` are owned too.
    ///   - configure: A closure that overrides providers in the child, on the main actor.
    /// - Returns: A view with the child in its environment.
    public func childPod(
      owning scopes: [any ProviderScope] = [], configure: @escaping @MainActor @Sendable (Pod) -> Void = { _ in }
    ) -> some View {
      modifier(ChildPodModifier(scopes: scopes, configure: configure))
    }
  }
#endif
