// What is wrong in the traits of a preview is found.
// modes: 5 6 6-main-actor
// error: no exact matches in call to instance method 'overrideProvider'
import Peapod
import PeapodUI
import SwiftUI

nonisolated let yearProvider = Provider { _ in 1927 }

#Preview(traits: .pod { $0.overrideProvider(yearProvider, withValue: "1927") }) {  // here
  EmptyView()
}
