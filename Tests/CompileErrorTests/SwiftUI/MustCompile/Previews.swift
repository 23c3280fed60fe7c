// Each preview has a pod of its own, beside other traits or without them.
// modes: 5 6 5-main-actor 6-main-actor 6-approachable 6-upcoming
import Peapod
import PeapodUI
import SwiftUI

struct FlowScope: ProviderScope {
  var requiresOwner: Bool { true }
}

@MainActor
final class Model { var title = "live" }

nonisolated let titleProvider = Provider { _ in "Library" }
nonisolated let modelProvider = MainActorProvider(scope: FlowScope()) { _ in Model() }

struct Title: View {
  @Resolve(titleProvider) private var title
  @Resolve(modelProvider) private var model

  var body: some View { Text(verbatim: title + model.title) }
}

#Preview {
  Title().childPod(owning: [FlowScope()]) { $0.overrideProvider(titleProvider) { _ in "Within" } }
}

#Preview("Overridden", traits: .pod(owning: [FlowScope()]) { $0.overrideProvider(titleProvider) { _ in "Preview" } }) {
  Title()
}

#Preview("Given", traits: .pod { $0.overrideProvider(modelProvider, withValue: Model()) }, .sizeThatFitsLayout) {
  Title()
  Title()
}

#Preview(traits: .pod) {
  Title()
}
