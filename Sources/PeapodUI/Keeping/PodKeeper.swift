import Peapod

/// Makes the pod for a view's content, and stores it for the life of the view's identity.
@MainActor
final class PodKeeper {
  private enum State {
    /// No pod yet. Next: any other state.
    case empty
    /// A child pod. Next: a child of a new parent.
    case child(Pod, parent: Pod)
    /// A root pod. No state follows.
    case root(Pod)
  }

  private var state = State.empty

  /// Returns the stored child of this parent, or makes a new child.
  func child(
    of parent: Pod, owning scopes: [any ProviderScope], configure: @MainActor (Pod) -> Void
  ) -> Pod {
    if case .child(let child, let known) = state, known === parent { return child }
    let child = parent.makeChild(owning: scopes, configure: { pod in configure(pod) })
    state = .child(child, parent: parent)
    return child
  }

  /// Returns the stored root pod, or makes a root pod that shares nothing with other pods.
  func root(owning scopes: [any ProviderScope], configure: @MainActor (Pod) -> Void) -> Pod {
    if case .root(let pod) = state { return pod }
    var pod = Pod("Preview")
    // Only a child pod can own scopes.
    if !scopes.isEmpty { pod = pod.makeChild(owning: scopes) }
    configure(pod)
    state = .root(pod)
    return pod
  }
}
