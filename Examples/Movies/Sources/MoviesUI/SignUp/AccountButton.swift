#if canImport(SwiftUI)
  import MoviesCore
  import PeapodUI
  import SwiftUI

  /// Signs up, or out.
  struct AccountButton: View {
    let signUp: () -> Void
    @Resolve(sessionProvider) private var session

    var body: some View {
      if session.account == nil {
        Button("Sign up") { signUp() }
      } else {
        Button("Sign out") { session.signOut() }
      }
    }
  }
#endif
