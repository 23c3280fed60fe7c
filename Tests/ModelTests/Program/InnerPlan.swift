/// An inner pod that a builder makes for one request.
struct InnerPlan: Sendable {
  /// Whether it is an override scope on the builder's pod, or a child of that pod.
  var isOverrideScope: Bool
  var owning: [ScopeChoice]
  var changes: [Change]
}
