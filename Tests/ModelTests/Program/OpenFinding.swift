import Foundation

/// Where the library is known to differ from the rules.
///
/// The programs leave these out until they are mended, so that they do not hide what else there is. With `PEAPOD_MODEL_ALL` in the
/// environment they are put in.
enum OpenFinding {
  /// An override of a graph-scoped provider does not reach what was built from it; two roots share such an instance.
  case graphScopedOverride
  /// An override in one root does not reach what another root built from it.
  case capturedRoot
  /// A holder that was built again is disposed after what its handle leads to.
  case orderOfHolders
  /// A legal loop of which a part was cleared is never disposed.
  case loops
  /// A builder that runs for a child made outside a block sees the block.
  case childOutsideOfBlock
  /// A block within a block loses what its override wraps.
  case nestedBlocks
  /// Removing all overrides within a block brings those of the pod back.
  case removeAllInBlock
  /// Beneath a decorator, a child takes what was built from the original for right.
  case decoratorAboveChild
  /// A child's build hides the instance that a pod above keeps.
  case buildInChild

  /// What stores the pod of a child that is gone keeps the pod above it.
  case handleOfGoneChild
  /// A hook does not wait for those of dependents that depend on its instance through one that stays.
  case indirectDependents
  /// An async block on a child does not await the hooks of what was built in the pods above.
  case blockOnChild
  /// An instance for one use is disposed twice where an override that it was built from is removed meanwhile.
  case overrideRemovedDuringUse

  static let areLeftOut = ProcessInfo.processInfo.environment["PEAPOD_MODEL_ALL"] == nil

  var isLeftOut: Bool { Self.areLeftOut }
}
