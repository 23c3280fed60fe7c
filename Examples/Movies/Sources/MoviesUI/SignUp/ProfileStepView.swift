#if canImport(SwiftUI)
  import MoviesCore
  import PeapodUI
  import SwiftUI

  /// Asks for the name.
  struct ProfileStepView: View {
    @Resolve(profileStepProvider) private var step
    @Resolve(signUpFlowProvider) private var flow
    @Resolve(signUpDraftProvider) private var draft

    var body: some View {
      Section("Profile") {
        TextField("Name", text: $draft.name)
        Button("Create account") { Task { await step.finish() } }
          .disabled(!step.isComplete || flow.isSubmitting)
        Button("Back") { flow.goBack() }
      }
    }
  }
#endif
