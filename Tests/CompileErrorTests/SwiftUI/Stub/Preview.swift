// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// On Apple's platforms these are in DeveloperToolsSupport, which SwiftUI exports, and in SwiftUI.

public struct Preview {
  public struct ViewTraits {}

  @MainActor
  public init(
    _ name: String? = nil, traits: PreviewTrait<Preview.ViewTraits>...,
    @ViewBuilder body: @escaping @MainActor () -> any View
  ) { fatalError() }
}

public struct PreviewTrait<T> {}

extension PreviewTrait where T == Preview.ViewTraits {
  @MainActor public static func modifier(_ modifier: some PreviewModifier) -> PreviewTrait<T> { fatalError() }
  public static var sizeThatFitsLayout: PreviewTrait<T> { fatalError() }
}

@MainActor @preconcurrency
public protocol PreviewRegistry {
  @MainActor static func makePreview() throws -> Preview
}

@MainActor @preconcurrency
public protocol PreviewModifier {
  associatedtype Context = Void
  associatedtype Body: View
  @MainActor @preconcurrency static func makeSharedContext() async throws -> Self.Context
  @ViewBuilder @MainActor @preconcurrency func body(content: Self.Content, context: Self.Context) -> Self.Body
  typealias Content = PreviewModifierContent
}

extension PreviewModifier where Context == Void {
  @MainActor @preconcurrency public static func makeSharedContext() async throws -> Self.Context { fatalError() }
}

public struct PreviewModifierContent: PrimitiveView {}

@freestanding(declaration)
public macro Preview(
  _ name: String? = nil, @ViewBuilder body: @escaping @MainActor () -> any View
) = #externalMacro(module: "PreviewsMacros", type: "SwiftUIView")

@freestanding(declaration)
public macro Preview(
  _ name: String? = nil, traits: PreviewTrait<Preview.ViewTraits>,
  _ additionalTraits: PreviewTrait<Preview.ViewTraits>..., @ViewBuilder body: @escaping @MainActor () -> any View
) = #externalMacro(module: "PreviewsMacros", type: "SwiftUIView")
