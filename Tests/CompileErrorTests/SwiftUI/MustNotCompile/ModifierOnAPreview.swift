// A preview is a declaration, so that the pod goes into its traits or onto its view.
// modes: 5 6 6-main-actor
// error: consecutive statements on a line
// error: expressions are not allowed at the top level
// error: reference to member 'pod'
import Peapod
import PeapodUI
import SwiftUI

#Preview { EmptyView() }.pod { _ in }  // here
