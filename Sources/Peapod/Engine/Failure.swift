/// Every text with which Peapod stops a program or warns: what, where, and how to mend it.
enum Failure {
  static func abstract() -> String { "Peapod: an abstract member was called. This is a defect of Peapod." }

  static func outOfMemory() -> String { "Peapod: no memory is left." }

  static func waitWithoutThreads() -> String {
    "Peapod: another thread was waited for, where there is only one. This is a defect of Peapod."
  }

  static func threw(_ declaration: Declaration, _ error: any Error) -> String {
    "Peapod: \(declaration.description), which cannot throw, threw \(error). This is a defect of Peapod."
  }

  static func cycle(_ path: [ProviderInfo]) -> String {
    let steps = path.map { "  \($0.name) (\($0.fileID):\($0.line))" }.joined(separator: "\n  needs\n")
    return """
      Peapod: these providers need each other to be built, so none of them can be:
      \(steps)
      To mend it, let one of them take what it needs later: pass `pod.lazy(provider)` or `pod.factory(provider)` \
      instead of `pod.resolve(provider)`, and use it after construction.
      """
  }

  static func unowned(_ declaration: Declaration, _ scope: ScopeIdentity, pod: String) -> String {
    """
    Peapod: \(declaration.description) belongs to the scope \(scope.name), which must have an owner, and neither the pod \
    "\(pod)" nor any pod above it owns that scope.
    To mend it, resolve it in a pod made with `makeChild(owning: [\(scope.name)(…)])` or `withChild(owning:)`.
    """
  }

  static func captive(_ dependent: ProviderInfo, _ dependency: ProviderInfo) -> String {
    """
    Peapod: captive dependency: \(dependent.name) (\(dependent.fileID):\(dependent.line)), kept in \(dependent.scope), was \
    built from \(dependency.name) (\(dependency.fileID):\(dependency.line)), kept in \(dependency.scope), which can be \
    cleared under it.
    To mend it, give \(dependent.name) the scope \(dependency.scope) or a child of it, or let it hold a factory of \
    \(dependency.name), made with `pod.factory`, and ask at each use.
    """
  }

  static func repeatedDeclaration(_ info: ProviderInfo) -> String {
    """
    Peapod: \(info.fileID):\(info.line) declares provider after provider, each built once: \(info.name) is probably a \
    computed property, so that nothing is ever shared.
    To mend it, declare it as a constant: `static let` or a global `let` instead of `var … { … }`.
    """
  }
}

#if DEBUG
  /// Notices a place that makes provider after provider.
  ///
  /// Debug builds only.
  enum LocalDeclarations {
    private struct Place: Hashable {
      let file: String
      let line: UInt32

      init(_ declaration: Declaration) { (file, line) = (declaration.fileID, declaration.line) }
    }

    /// How many singletons of one place make it suspicious.
    private static let threshold = 32
    // Safe: guarded by the engine's lock.
    nonisolated(unsafe) private static var counts: [Place: Int] = [:]

    /// Counts the first builds of a place.
    ///
    /// Called with the engine's lock held.
    static func note(_ declaration: Declaration, _ aftermath: inout Aftermath) {
      guard isToBeCounted(declaration), count(declaration) == threshold else { return }
      aftermath.work.seldom.warnings.append(
        Failure.repeatedDeclaration(ProviderInfo(declaration, scope: declaration.scope)))
    }

    /// The same, unless a warning is due with it; returns whether that is so.
    static func noteQuietly(_ declaration: Declaration) -> Bool {
      guard isToBeCounted(declaration) else { return true }
      guard counts[Place(declaration)] != threshold - 1 else { return false }
      _ = count(declaration)
      return true
    }

    private static func isToBeCounted(_ declaration: Declaration) -> Bool {
      declaration.isFirstBuild && declaration.family == nil && declaration.scope.kind == .singleton
        && declaration.line != 0
    }

    private static func count(_ declaration: Declaration) -> Int {
      declaration.isFirstBuild = false
      counts[Place(declaration), default: 0] += 1
      return counts[Place(declaration), default: 0]
    }
  }
#endif
