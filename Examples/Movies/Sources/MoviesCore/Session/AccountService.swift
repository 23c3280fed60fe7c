import Peapod
import PeapodSystem

/// Makes accounts.
package protocol AccountService: Sendable {
  func signUp(email: String, password: String, name: String) async throws(SignUpError) -> Account
}

/// Why there is no account.
package enum SignUpError: Error, Equatable {
  case emailIsTaken
  case serviceIsUnavailable
}

package let accountServiceProvider = Provider<any AccountService>("accounts") { pod in
  MemoryAccountService(uuid: pod.resolve(.uuid), date: pod.resolve(.date))
}
