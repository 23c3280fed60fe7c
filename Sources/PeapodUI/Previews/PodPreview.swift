#if canImport(SwiftUI)
  import SwiftUI

  /// Gives a preview a pod of its own.
  struct PodPreview: PreviewModifier {
    let modifier: PreviewPodModifier

    func body(content: Content, context: Void) -> some View {
      content.modifier(modifier)
    }
  }
#endif
