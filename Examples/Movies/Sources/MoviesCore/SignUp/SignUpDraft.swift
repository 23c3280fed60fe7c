import Observation
import Peapod

/// The input so far, which lasts from step to step.
@MainActor
@Observable
package final class SignUpDraft {
  package var email = ""
  package var password = ""
  package var name = ""

  package init() {}
}

package let signUpDraftProvider = MainActorProvider("draft", scope: .signUp) { _ in SignUpDraft() }
