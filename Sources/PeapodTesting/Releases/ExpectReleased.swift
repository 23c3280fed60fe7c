import Peapod
import Testing

/// Clears a scope and expects that the class instances of the scope are deallocated.
///
/// The function looks at the instances that the pod and its ancestors cache. Each instance that is still alive is an issue
/// with the names of the instance and its provider. The reason may be a retain cycle, a stored closure, a running task or a
/// dependent that stays cached longer. If the clear releases no class instance, the function records a warning.
///
/// ```swift
/// @Test(.pod) func signingOutForgetsTheUser() {
///   _ = Pod.current.resolve(sessionProvider)
///   expectReleased(afterClearing: .session, in: .current)
/// }
/// ```
///
/// The function does not wait for asynchronous disposal closures, or for main-actor instances when it is called off the
/// main actor. Use ``expectReleased(afterShuttingDown:in:sourceLocation:)`` for such instances.
///
/// - Parameters:
///   - scope: The scope to clear.
///   - pod: The pod in which to clear the scope.
///   - sourceLocation: The place for issues.
/// - Complexity: O(*n*) in the number of instances that the pod and its ancestors cache.
public func expectReleased(
  afterClearing scope: some ProviderScope, in pod: Pod = .current, sourceLocation: SourceLocation = #_sourceLocation
) {
  let before = InstanceSnapshot(of: pod, includingParents: true)
  pod.clearCachedInstances(forScope: scope)
  let (count, survivors) = before.released(before: InstanceSnapshot(of: pod, includingParents: true))
  record(survivors, outOf: count, scope: scope, pod: pod, sourceLocation: sourceLocation)
}

/// Shuts a scope down and expects that the class instances of the scope are deallocated.
///
/// The function does the same as ``expectReleased(afterClearing:in:sourceLocation:)``, and awaits asynchronous and
/// main-actor disposal closures.
///
/// - Parameters:
///   - scope: The scope to shut down.
///   - pod: The pod in which to shut the scope down.
///   - sourceLocation: The place for issues.
/// - Complexity: O(*n*) in the number of instances that the pod and its ancestors cache.
nonisolated(nonsending) public func expectReleased(
  afterShuttingDown scope: some ProviderScope, in pod: Pod = .current,
  sourceLocation: SourceLocation = #_sourceLocation
) async {
  let before = InstanceSnapshot(of: pod, includingParents: true)
  await pod.shutdown(scope: scope)
  let (count, survivors) = before.released(before: InstanceSnapshot(of: pod, includingParents: true))
  record(survivors, outOf: count, scope: scope, pod: pod, sourceLocation: sourceLocation)
}

private func record(
  _ survivors: [TrackedInstance], outOf count: Int, scope: some ProviderScope, pod: Pod,
  sourceLocation: SourceLocation
) {
  let scopeName = String(describing: type(of: scope))
  if count == 0 {
    Issue.warn(IssueText.nothingReleased(scope: scopeName, pod: pod.name), at: sourceLocation)
  }
  for instance in survivors {
    let text = IssueText.outlivesScope(instance, scope: scopeName)
    Issue.record(Comment(rawValue: text), sourceLocation: sourceLocation)
  }
}
