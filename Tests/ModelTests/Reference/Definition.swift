/// Which builder counts for a member, as seen from a pod.
struct Definition {
  /// The number of the override; 0 for the declaration.
  var id: Int
  var original = 0
  var content: ReferencePod.Content
  var scope: ScopeChoice
}
