// A pod comes into the environment in each of the ways there are.
// modes: 5 6 5-main-actor 6-main-actor 6-approachable 6-upcoming
import Peapod
import PeapodUI
import SwiftUI

struct AccountScope: ProviderScope {}

nonisolated let titleProvider = Provider { _ in "Library" }

struct ShowcaseApp: App {
  let pod = Pod("app")

  var body: some Scene {
    WindowGroup { Showcase() }.pod(pod)
  }
}

struct Showcase: View {
  @Environment(\.pod) private var pod

  var body: some View {
    Text(verbatim: pod.resolve(titleProvider)).pod(pod)
    Title().pod(.shared)
    Title().childPod(owning: [AccountScope()])
    Title().childPod { $0.overrideProvider(titleProvider) { _ in "Preview" } }
    Title().childPod(owning: [AccountScope()]) { $0.overrideProvider(titleProvider, withValue: "Account") }
    Title().environment(\.pod, pod)
  }
}

struct Title: View {
  @Resolve(titleProvider) private var title

  var body: some View { Text(verbatim: title) }
}
