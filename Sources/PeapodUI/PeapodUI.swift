// SwiftUI support. On platforms without SwiftUI this module is empty.
