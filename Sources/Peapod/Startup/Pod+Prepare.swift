extension Pod {
  // MARK: - Startup

  /// Resolves any number of providers of any kind concurrently, and reports which builders took longest.
  ///
  /// ```swift
  /// let preparation = try await pod.prepare(databaseProvider, settingsProvider, windowProvider)
  /// ```
  /// Each builder runs once, and starts when it is prepared or when a dependent resolves its provider. Main-actor builders run on the main
  /// actor. Synchronous builders run on the threads of Swift's concurrency pool.
  ///
  /// - Note: A cancellation or an error cannot interrupt a synchronous builder, so the call waits for the synchronous builders that already
  ///   run.
  /// - Complexity: O(1) for each provider whose instance is cached, less than a microsecond.
  /// - Parameter providers: The providers to resolve.
  /// - Returns: The duration and the critical path.
  /// - Throws: ``PreparationError`` for the first builder that throws. The other requests are then canceled. Builds that other callers wait
  ///   for continue, and built instances stay cached. `CancellationError` if the caller is canceled.
  @discardableResult
  nonisolated(nonsending)
    public func prepare<each Prepared: ProviderProtocol>(_ providers: repeat each Prepared) async throws -> Preparation
  {
    let start = MonotonicClock.now
    var pending: [Declaration] = []
    for provider in repeat each providers {
      if let declaration = provider.id.declaration, !isPrepared(declaration) { pending.append(declaration) }
    }
    guard !pending.isEmpty else { return Preparation(since: start, criticalPath: []) }
    let path = CriticalPath(of: pending, in: actingState.effective)
    do {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for declaration in pending { group.addTask { try await self.prepare(declaration) } }
        // The first error leaves the loop, and so cancels the other requests.
        while try await group.next() != nil {}
      }
      try Task.checkCancellation()
    } catch {
      if Task.isCancelled { throw CancellationError() }
      throw error
    }
    return Preparation(since: start, criticalPath: path.steps)
  }

  /// Returns whether the instance of a provider is cached, and records the read for a builder.
  private func isPrepared(_ declaration: Declaration) -> Bool {
    // A reference to a main-actor instance must not be released here.
    if !declaration.isMainActor {
      let found = readSlot(of: declaration)
      if !found.isNothing {
        if !found.giveBack() { endRead(found, of: declaration) }
        return true
      }
    }
    return Request(declaration, of: self).cachedInstance() != nil
  }

  /// Resolves one provider, and releases the value.
  private func prepare(_ declaration: Declaration) async throws {
    try Task.checkCancellation()
    let origins = ErrorOrigins()
    do {
      try await TaskContext.$errorOrigins.withValue(origins) {
        switch declaration.kind {
        case .async: declaration.release(try await Engine.asyncStoredValue(declaration, in: self))
        case .mainActor:
          try await MainActor.run {
            // The main actor may have been busy for a while.
            try Task.checkCancellation()
            declaration.release(Engine.storedValue(declaration, in: self))
          }
        case .sync, .throwing: declaration.release(try Engine.resolve(declaration, in: self).value)
        }
      }
    } catch {
      let known = origins.origin(of: error)
      throw PreparationError(
        provider: known?.provider ?? ProviderInfo(declaration, scope: declaration.scope), underlyingError: error)
    }
  }
}

extension Preparation {
  fileprivate init(since start: Int64, criticalPath: [Step]) {
    self.init(duration: .nanoseconds(MonotonicClock.now - start), criticalPath: criticalPath)
  }
}
