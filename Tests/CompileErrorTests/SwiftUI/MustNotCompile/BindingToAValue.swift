// There are bindings to what can be observed.
// modes: 5 6 6-main-actor
// error: is unavailable: '$' gives bindings to the properties of an @Observable class.
import Peapod
import PeapodUI
import SwiftUI

nonisolated struct Options: Sendable { var isExact = false }

nonisolated let optionsProvider = Provider { _ in Options() }

struct OptionsView: View {
  @Resolve(optionsProvider) private var options

  var body: some View {
    Toggle("Exact", isOn: $options.isExact)  // here
  }
}
