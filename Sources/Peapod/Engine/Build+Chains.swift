extension Build {
  /// The way along which `target` cannot finish without this build, from `target` to this one; `nil` if there is none.
  ///
  /// - Complexity: O(builds under way), without recursion.
  func chain(from target: Build) -> [Build]? {
    var cameFrom: [Build: Build] = [:]
    var seen: Set<Build> = [target]
    var rest = [target]
    while let build = rest.popLast() {
      if build == self {
        var path = [build]
        while let previous = cameFrom[path[path.count - 1]] { path.append(previous) }
        return path.reversed()
      }
      for next in build.pending.lazy.map(\.build) where seen.insert(next).inserted {
        cameFrom[next] = build
        rest.append(next)
      }
    }
    return nil
  }

  /// The part of the chain above this build, this one last, that begins with the same provider made the same way.
  ///
  /// Nearby it looks at each step. Further up it looks only at depths that are powers of two, so that a deep graph is
  /// built in linear time and endless recursion is still found.
  func chain(fromSame declaration: Declaration, _ override: Override.Pointer?, view: Layer) -> [Build]? {
    let isThorough = depth & (depth + 1) == 0
    var path: [Build] = []
    var build: Build? = self
    while let current = build, isThorough || path.count < 64 {
      path.append(current)
      if current.isOf(declaration), current.isMade(by: override), current.view == view {
        return path.reversed()
      }
      build = current.parent
    }
    return nil
  }
}
