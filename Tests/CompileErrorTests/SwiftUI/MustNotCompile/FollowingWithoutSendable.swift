// A view follows only what may be sent.
// modes: 6
// error: 'Sendable'
import Peapod
import PeapodUI
import SwiftUI

final class Draft { var text = "" }

let draftProvider = MainActorProvider { _ in Draft() }

struct DraftView: View {
  @Resolve(draftProvider, following: true) private var draft  // here

  var body: some View { EmptyView() }
}
