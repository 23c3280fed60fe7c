#if DEBUG
  /// Detects a line that makes many providers.
  ///
  /// Debug builds only.
  enum RepeatedDeclarations {
    /// The number of singletons of one place that makes the place suspicious.
    private static let threshold = 32
    private static let lock = Lock()
    // Guarded by `lock`.
    nonisolated(unsafe) private static var counts: [String: Int] = [:]

    /// Counts the first build of each provider of a place.
    ///
    /// Called without locks.
    static func note(_ declaration: Declaration) {
      let isSuspicious = lock.withLock { () -> Bool in
        guard declaration.isFirstBuild, declaration.family == nil, declaration.scopeKind == .singleton,
          declaration.line != 0
        else { return false }
        declaration.isFirstBuild = false
        let place = "\(declaration.fileID):\(declaration.line)"
        counts[place, default: 0] += 1
        return counts[place] == threshold
      }
      guard isSuspicious else { return }
      CurrentThread.writeError(Failure.repeatedDeclaration(ProviderInfo(declaration, scope: declaration.scope)))
    }
  }
#endif
