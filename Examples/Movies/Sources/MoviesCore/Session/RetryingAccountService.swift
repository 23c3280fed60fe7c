/// Asks a service that is unavailable again, after one second and after four more.
package struct RetryingAccountService: AccountService {
  private let service: any AccountService
  private let clock: any Clock<Duration>

  package init(_ service: any AccountService, clock: any Clock<Duration>) {
    self.service = service
    self.clock = clock
  }

  package func signUp(email: String, password: String, name: String) async throws(SignUpError) -> Account {
    for pause in [Duration.seconds(1), .seconds(4)] {
      do throws(SignUpError) {
        return try await service.signUp(email: email, password: password, name: name)
      } catch .serviceIsUnavailable {
        // A canceled task does not try again.
        guard (try? await clock.sleep(for: pause)) != nil else { throw .serviceIsUnavailable }
      }
    }
    return try await service.signUp(email: email, password: password, name: name)
  }
}
