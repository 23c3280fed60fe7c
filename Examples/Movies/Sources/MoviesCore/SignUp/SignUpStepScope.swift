import Peapod

/// What belongs to one step of the flow, and is new when the step is entered again.
package struct SignUpStepScope: ProviderScope {
  package var requiresOwner: Bool { true }
}

extension ProviderScope where Self == SignUpStepScope {
  package static var signUpStep: Self { Self() }
}
