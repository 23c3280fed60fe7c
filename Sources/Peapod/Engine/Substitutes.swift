/// The pods that stand in for others within a `withOverrides` block, for its task and the tasks below.
final class Substitutes: Sendable {
  private let original: Layer
  private let substitute: Pod
  private let outer: Substitutes?

  init(_ substitute: Pod, for original: Layer, outer: Substitutes?) {
    self.original = original
    self.substitute = substitute
    self.outer = outer
    TaskContext.begin()
  }

  deinit { TaskContext.end() }

  /// The pod that stands in for the one with a layer.
  func pod(for layer: Layer) -> Pod? {
    var next: Substitutes? = self
    while let current = next {
      if current.original === layer { return current.substitute }
      next = current.outer
    }
    return nil
  }
}

extension TaskContext {
  /// The layer that stands in for another in this task.
  @inline(__always)
  static func substitute(for layer: Layer) -> Layer? {
    guard isActive else { return nil }
    return substitutes?.pod(for: layer)?.ownLayer
  }
}
