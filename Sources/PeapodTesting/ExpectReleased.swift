import Peapod
import Testing

/// Clears a scope and expects that every class instance which that lets go of is gone, naming those that are not.
///
/// It looks at the instances that the pod and its parents keep. An instance that is still alive, because of a retain
/// cycle, a stored closure, a running task or a dependent that is kept longer, is an issue of its own, which names the
/// instance and its provider. Clearing that lets go of no class instance checks nothing and is recorded as a warning.
///
/// ```swift
/// @Test(.pod) func signingOutForgetsTheUser() {
///   _ = Pod.current.resolve(sessionProvider)
///   expectReleased(afterClearing: .session, in: .current)
/// }
/// ```
///
/// It does not wait: what an asynchronous `onDispose` works on, or a main-actor instance when this is called off the main
/// actor, still lives for a moment. Use ``expectReleased(afterShuttingDown:in:sourceLocation:)`` there.
///
/// - Parameters:
///   - scope: The scope to clear.
///   - pod: The pod to clear it in.
///   - sourceLocation: Where to record the issues.
/// - Complexity: O(*n*) in the number of instances that the pod and its parents keep.
public func expectReleased(
  afterClearing scope: some ProviderScope, in pod: Pod = .current, sourceLocation: SourceLocation = #_sourceLocation
) {
  let before = InstanceSnapshot(of: pod, includingParents: true)
  pod.clearCachedInstances(forScope: scope)
  let (count, survivors) = before.released(before: InstanceSnapshot(of: pod, includingParents: true))
  record(survivors, outOf: count, scope: scope, pod: pod, sourceLocation: sourceLocation)
}

/// Shuts a scope down and expects that every class instance which that lets go of is gone, naming those that are not.
///
/// As ``expectReleased(afterClearing:in:sourceLocation:)``, and it awaits asynchronous and main-actor `onDispose` hooks.
///
/// - Parameters:
///   - scope: The scope to shut down.
///   - pod: The pod to shut it down in.
///   - sourceLocation: Where to record the issues.
/// - Complexity: O(*n*) in the number of instances that the pod and its parents keep.
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
    let text = IssueText.nothingReleased(scope: scopeName, pod: pod.name)
    Issue.record(Comment(rawValue: text), severity: .warning, sourceLocation: sourceLocation)
  }
  for instance in survivors {
    let text = IssueText.outlivesScope(instance, scope: scopeName)
    Issue.record(Comment(rawValue: text), sourceLocation: sourceLocation)
  }
}
