import Peapod

/// The scope of the instances that belong to one attempt to sign up.
///
/// The view of the flow owns this scope in a child pod. Because an owner is required, a half-finished draft can never end up
/// in the pod of the app, where the next attempt would find it.
package struct SignUpScope: ProviderScope {
  package var children: [any ProviderScope] { [SignUpStepScope()] }
  package var requiresOwner: Bool { true }
}

extension ProviderScope where Self == SignUpScope {
  package static var signUp: Self { Self() }
}
