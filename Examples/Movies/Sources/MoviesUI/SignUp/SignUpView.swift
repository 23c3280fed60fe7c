#if canImport(SwiftUI)
  import MoviesCore
  import Peapod
  import PeapodSystem
  import PeapodUI
  import SwiftUI

  /// The flow, for a pod that owns `SignUpScope`.
  struct SignUpView: View {
    @Resolve(signUpFlowProvider) private var flow
    @Environment(\.dismiss) private var dismiss

    var body: some View {
      NavigationStack {
        Form {
          switch flow.step {
          case .account: AccountStepView()
          case .profile: ProfileStepView()
          case .finished(let account): Section { Text("Welcome, \(account.name).") }
          }
          if let problem = flow.problem {
            Text(problem == .emailIsTaken ? "There is an account with this address." : "Try again later.")
              .foregroundStyle(.red)
          }
        }
        .navigationTitle("Sign up")
        .toolbar {
          ToolbarItem(placement: .cancellationAction) {
            Button("Close") { dismiss() }
          }
        }
      }
    }
  }

  #Preview("Account", traits: .pod(owning: [.signUp])) {
    SignUpView()
  }

  #Preview(
    "Profile", traits: .pod(owning: [.signUp]) { $0.overrideProvider(signUpFlowProvider, withValue: .atProfile) }
  ) {
    SignUpView()
  }

  extension SignUpFlow {
    /// A flow that is at its second step.
    fileprivate static var atProfile: SignUpFlow {
      let service = MemoryAccountService(uuid: .incrementing, date: .constant(.now))
      let flow = SignUpFlow(draft: SignUpDraft(), service: service, session: Session(), endStep: {})
      flow.proceed()
      return flow
    }
  }
#endif
