/// What the worlds and programs of the model contain beside the rest.
enum Coverage {
  /// Builders that make an inner pod, a child or an override scope, and resolve through it (rule 19).
  ///
  /// The rules leave open how long such a pod's constant values stay alive, so no step can be foretold exactly. The tests of answers
  /// contain such builders.
  static let hasInnerPods = false

  /// Builders that resolve from a captured pod, the other root.
  ///
  /// An outdated dependent of another pod may be disposed when it is next resolved, or later, so no step can be foretold.
  /// The tests of answers contain such builders.
  static let hasCrossPodRequests = false
}
