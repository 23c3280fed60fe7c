#if canImport(SwiftUI)
  import MoviesCore
  import PeapodUI
  import SwiftUI

  /// Asks for the address and the password.
  struct AccountStepView: View {
    @Resolve(accountStepProvider) private var step
    @Resolve(signUpDraftProvider) private var draft

    var body: some View {
      Section("Account") {
        TextField("Email", text: $draft.email)
        if let problem = step.emailProblem { Text(problem).foregroundStyle(.red) }
        SecureField("Password", text: $draft.password)
        if let problem = step.passwordProblem { Text(problem).foregroundStyle(.red) }
        Button("Continue") { step.proceed() }
      }
    }
  }
#endif
