/// Marks the overrides that a function makes as a set.
///
/// A test may resolve any part of the set.
///
/// `PeapodTesting` then does not report the unresolved overrides of the set.
package enum OverrideSet {
  /// Whether the current task is making the overrides of a set.
  @TaskLocal package static var isBeingMade = false
}
