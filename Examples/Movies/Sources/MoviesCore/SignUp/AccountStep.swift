import Observation
import Peapod

/// The step that asks for the address and the password.
@MainActor
@Observable
package final class AccountStep {
  package let draft: SignUpDraft
  /// Whether problems are shown: not before the first attempt to go on.
  private var hasTried = false
  private let flow: SignUpFlow

  package init(draft: SignUpDraft, flow: SignUpFlow) {
    self.draft = draft
    self.flow = flow
  }

  package var emailProblem: String? {
    hasTried && !isEmail ? "Enter an address with an @ and a domain." : nil
  }

  package var passwordProblem: String? {
    hasTried && !isPassword ? "Enter eight characters or more." : nil
  }

  /// Goes on if everything is right, and shows what is wrong otherwise.
  package func proceed() {
    hasTried = true
    if isEmail, isPassword { flow.proceed() }
  }

  private var isEmail: Bool {
    let parts = draft.email.split(separator: "@", omittingEmptySubsequences: false)
    let domain = parts.last?.split(separator: ".", omittingEmptySubsequences: false) ?? []
    return parts.count == 2 && !parts[0].isEmpty && domain.count > 1 && domain.allSatisfy { !$0.isEmpty }
  }

  private var isPassword: Bool { draft.password.count >= 8 }
}

package let accountStepProvider = MainActorProvider("account step", scope: .signUpStep) { pod in
  AccountStep(draft: pod.resolve(signUpDraftProvider), flow: pod.resolve(signUpFlowProvider))
}
