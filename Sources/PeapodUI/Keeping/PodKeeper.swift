import Peapod

/// Decides when a view makes a pod for its content, and holds it for as long as the view's identity lives.
@MainActor
final class PodKeeper {
  private enum State {
    /// Not asked so far. Next: any other.
    case empty
    /// A pod below another. Next: the same below a new parent.
    case child(Pod, parent: Pod)
    /// A pod of its own. Nothing follows.
    case root(Pod)
  }

  private var state = State.empty

  /// Returns the child that was made below this parent, or makes one: the first, or one that replaces a child of another.
  func child(
    of parent: Pod, owning scopes: [any ProviderScope], configure: @MainActor (Pod) -> Void
  ) -> Pod {
    if case .child(let child, let known) = state, known === parent { return child }
    let child = parent.makeChild(owning: scopes, configure: { pod in configure(pod) })
    state = .child(child, parent: parent)
    return child
  }

  /// Returns the pod that was made before, or makes one that shares nothing with any other.
  func root(owning scopes: [any ProviderScope], configure: @MainActor (Pod) -> Void) -> Pod {
    if case .root(let pod) = state { return pod }
    var pod = Pod("Preview")
    configure(pod)
    // Scopes that require an owner have one in a child only.
    if !scopes.isEmpty { pod = pod.makeChild(owning: scopes) }
    state = .root(pod)
    return pod
  }
}
