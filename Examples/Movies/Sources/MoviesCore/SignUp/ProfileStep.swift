import Observation
import Peapod

/// The step that asks for the name.
@MainActor
@Observable
package final class ProfileStep {
  package let draft: SignUpDraft
  private let flow: SignUpFlow

  package init(draft: SignUpDraft, flow: SignUpFlow) {
    self.draft = draft
    self.flow = flow
  }

  package var isComplete: Bool { draft.name.contains { !$0.isWhitespace } }

  package func finish() async {
    if isComplete { await flow.submit() }
  }
}

package let profileStepProvider = MainActorProvider("profile step", scope: .signUpStep) { pod in
  ProfileStep(draft: pod.resolve(signUpDraftProvider), flow: pod.resolve(signUpFlowProvider))
}
