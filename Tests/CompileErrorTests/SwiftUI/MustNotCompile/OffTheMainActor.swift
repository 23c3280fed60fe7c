// A resolved property is read on the main actor.
// modes: 6 6-main-actor
// error: main actor-isolated property
import Peapod
import PeapodUI
import SwiftUI

nonisolated let titleProvider = Provider { _ in "Library" }

nonisolated struct Reader {
  @Resolve(titleProvider) var title

  func read() -> String { title }  // here
}
