#if canImport(SwiftUI)
  import Peapod
  import SwiftUI

  extension PreviewTrait where T == Preview.ViewTraits {
    /// Gives a preview a pod of its own.
    @MainActor
    public static var pod: PreviewTrait<Preview.ViewTraits> { pod(owning: [], configure: { _ in }) }

    /// Gives a preview a pod of its own, with overrides and owned scopes.
    ///
    /// ```swift
    /// #Preview("No movies", traits: .pod { $0.overrideProvider(movieStoreProvider) { _ in EmptyStore() } }) {
    ///   LibraryView()
    /// }
    /// ```
    /// The pod shares nothing with the pods of other previews or with `Pod.shared`.
    ///
    /// - Parameters:
    ///   - scopes: The scopes that the preview's pod owns.
    ///   - configure: A closure that overrides providers in the preview's pod, on the main actor.
    /// - Returns: The trait.
    @MainActor
    public static func pod(
      owning scopes: [any ProviderScope] = [], configure: @escaping @MainActor @Sendable (Pod) -> Void = { _ in }
    ) -> PreviewTrait<Preview.ViewTraits> {
      .modifier(PodPreview(modifier: PreviewPodModifier(scopes: scopes, configure: configure)))
    }
  }
#endif
