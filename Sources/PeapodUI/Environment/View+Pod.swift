#if canImport(SwiftUI)
  import Peapod
  import SwiftUI

  extension View {
    /// Sets the pod in which this view and the views within it resolve.
    ///
    /// - Parameter pod: The pod for the environment.
    /// - Returns: The view, with the pod in its environment.
    nonisolated public func pod(_ pod: Pod) -> some View {
      environment(\.pod, pod)
    }

    /// Makes a child of the environment's pod for this view and the views within it.
    ///
    /// ```swift
    /// SignUpView().childPod(owning: [SignUpScope()]) { $0.overrideProvider(draftProvider) { _ in Draft(email: email) } }
    /// ```
    /// There is one child for the life of the view's identity, and it goes with it: what it kept is disposed. It is made
    /// when the view is first drawn, with the closure of that moment, and made again only if the pod above becomes another.
    /// To have a new child for a new account or document, give the view a new identity: `.id(account.id)`.
    ///
    /// - Parameters:
    ///   - scopes: The scopes whose instances live in the child, with their `children`.
    ///   - configure: Overrides providers in the child, on the main actor.
    /// - Returns: The view, with the child in its environment.
    public func childPod(
      owning scopes: [any ProviderScope] = [], configure: @escaping @MainActor @Sendable (Pod) -> Void = { _ in }
    ) -> some View {
      modifier(ChildPodModifier(scopes: scopes, configure: configure))
    }
  }
#endif
