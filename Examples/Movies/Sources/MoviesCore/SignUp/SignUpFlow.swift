import Observation
import Peapod
import PeapodSystem

/// The way through signing up.
@MainActor
@Observable
package final class SignUpFlow {
  package enum Step: Equatable, Sendable {
    /// Asks for the address and the password. Next: profile.
    case account
    /// Asks for the name. Next: finished, or account again.
    case profile
    /// There is an account. Nothing follows.
    case finished(Account)
  }

  package private(set) var step = Step.account
  package private(set) var isSubmitting = false
  /// Why there is no account yet.
  package private(set) var problem: SignUpError?
  private let draft: SignUpDraft
  private let service: any AccountService
  private let session: Session
  private let endStep: () -> Void

  package init(draft: SignUpDraft, service: any AccountService, session: Session, endStep: @escaping () -> Void) {
    self.draft = draft
    self.service = service
    self.session = session
    self.endStep = endStep
  }

  /// Goes on from the account to the profile.
  package func proceed() {
    if step == .account { enter(.profile) }
  }

  /// Goes back from the profile to the account.
  package func goBack() {
    if step == .profile, !isSubmitting { enter(.account) }
  }

  /// Makes the account and signs in.
  package func submit() async {
    guard step == .profile, !isSubmitting else { return }
    isSubmitting = true
    defer { isSubmitting = false }
    do throws(SignUpError) {
      let account = try await service.signUp(email: draft.email, password: draft.password, name: draft.name)
      session.signIn(account)
      enter(.finished(account))
    } catch {
      // Another address is asked for where the address was.
      if error == .emailIsTaken { enter(.account) }
      problem = error
    }
  }

  private func enter(_ step: Step) {
    problem = nil
    self.step = step
    endStep()
  }
}

package let signUpFlowProvider = MainActorProvider("flow", scope: .signUp) { pod in
  SignUpFlow(
    draft: pod.resolve(signUpDraftProvider),
    service: RetryingAccountService(pod.resolve(accountServiceProvider), clock: pod.resolve(.clock)),
    session: pod.resolve(sessionProvider),
    endStep: { pod.clearCachedInstances(forScope: .signUpStep) })
}
