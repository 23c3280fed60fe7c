import Peapod

/// The scope of the instances of one step, which are new when the step is entered again.
package struct SignUpStepScope: ProviderScope {
  package var requiresOwner: Bool { true }
}

extension ProviderScope where Self == SignUpStepScope {
  package static var signUpStep: Self { Self() }
}
