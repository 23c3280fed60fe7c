import Observation
import Peapod

/// The user of the app.
@MainActor
@Observable
package final class Session {
  package private(set) var account: Account?

  package init() {}

  package func signIn(_ account: Account) { self.account = account }

  package func signOut() { account = nil }
}

package let sessionProvider = MainActorProvider("session") { _ in Session() }
