// What has to be waited for is no property.
// modes: 5 6 6-main-actor
// error: no exact matches in call to initializer
// error: generic parameter 'Value' could not be inferred
import Peapod
import PeapodUI
import SwiftUI

nonisolated let libraryProvider = AsyncProvider { _ in "Metropolis" }

struct LibraryView: View {
  @Resolve(libraryProvider) private var library  // here

  var body: some View { EmptyView() }
}
