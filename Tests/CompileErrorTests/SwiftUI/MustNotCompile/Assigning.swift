// What is resolved is not replaced by a view: that is an override's task.
// modes: 5 6 6-main-actor
// error: is a get-only property
import Peapod
import PeapodUI
import SwiftUI

nonisolated let titleProvider = Provider { _ in "Library" }

struct TitleView: View {
  @Resolve(titleProvider) private var title

  var body: some View {
    Button("Change") { title = "Other" }  // here
  }
}
