/// The pods that stand in for others within a `withOverrides` block, for its task and the tasks below.
final class Substitutes: Sendable {
  /// Kept, so that no other layer gets its address.
  // Safe: a constant, of which only the address is read.
  nonisolated(unsafe) private let original: Layer.Object
  private let substitute: Pod
  private let outer: Substitutes?

  init(_ substitute: Pod, for original: Layer, outer: Substitutes?) {
    self.original = original.object
    self.substitute = substitute
    self.outer = outer
    TaskContext.begin()
  }

  deinit { TaskContext.end() }

  /// The pod that stands in for the one with a layer.
  func pod(for layer: Layer) -> Pod? {
    var next: Substitutes? = self
    while let current = next {
      if Layer(current.original) == layer { return current.substitute }
      next = current.outer
    }
    return nil
  }
}

extension TaskContext {
  /// The pod that stands in, in this task, for the one with a layer.
  ///
  /// A builder that runs for a pod which does not see the block, such as a child made outside, does not see it either: what
  /// it makes is kept outside.
  @inline(__always)
  static func substitute(for layer: Layer) -> Pod? {
    guard isActive else { return nil }
    return activeSubstitute(for: layer)
  }

  @inline(never)
  private static func activeSubstitute(for layer: Layer) -> Pod? {
    guard let pod = substitutes?.pod(for: layer) else { return nil }
    guard let view = ThreadContext.frame?.pointee.view ?? runningBuild?.view else { return pod }
    return view.root == layer.root && !view.isBelow(orSame: pod.ownLayer) ? nil : pod
  }
}
