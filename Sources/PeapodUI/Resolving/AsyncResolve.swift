#if canImport(SwiftUI)
  import Peapod
  import SwiftUI

  /// A view that resolves an asynchronous provider in the environment's pod.
  ///
  /// ```swift
  /// AsyncResolve(libraryProvider) { phase in
  ///   switch phase {
  ///   case .loading: ProgressView()
  ///   case .value(let library): LibraryList(library: library)
  ///   case .failure(_, let retry): Button("Try again", action: retry)
  ///   }
  /// }
  /// ```
  /// The view begins to resolve when it is first drawn, and stops waiting when its identity ends. The value stays the same
  /// while the view's identity, the pod and the provider stay the same.
  public struct AsyncResolve<Value: Sendable, Content: View>: View {
    @Environment(\.pod) private var pod
    @State private var loader = Loader<Value>()
    private let provider: AsyncProvider<Value>
    private let content: (AsyncResolvePhase<Value>, _ reload: @escaping @MainActor () async -> Void) -> Content

    /// Creates a view that resolves a provider.
    ///
    /// - Parameters:
    ///   - provider: The provider to resolve.
    ///   - content: A closure that makes the view for a phase.
    public init(
      _ provider: AsyncProvider<Value>, @ViewBuilder content: @escaping (AsyncResolvePhase<Value>) -> Content
    ) {
      self.provider = provider
      self.content = { phase, _ in content(phase) }
    }

    /// Creates a view that resolves a provider, and can load it again.
    ///
    /// ```swift
    /// AsyncResolve(libraryProvider) { phase, reload in
    ///   LibraryList(library: phase.value).refreshable { await reload() }
    /// }
    /// ```
    /// - Parameters:
    ///   - provider: The provider to resolve.
    ///   - content: A closure that makes the view for the current phase. Its second argument refreshes the provider in the pod,
    ///     and returns when the view shows the new result. The former result is shown until then. Before the first result, it
    ///     begins a new attempt and returns at once.
    public init(
      _ provider: AsyncProvider<Value>,
      @ViewBuilder content:
        @escaping (
          _ phase: AsyncResolvePhase<Value>, _ reload: @escaping @MainActor () async -> Void
        ) -> Content
    ) {
      self.provider = provider
      self.content = content
    }

    /// The content for the current phase.
    public var body: some View {
      let loader = loader
      let phase = AsyncResolvePhase(loader.result(for: provider, in: pod), retry: { loader.retry() })
      content(phase) { await loader.reload() }
    }
  }
#endif
