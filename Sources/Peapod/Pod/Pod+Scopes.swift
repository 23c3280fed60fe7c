extension Pod {
  // MARK: - Ending lifetimes

  /// Disposes the instances of a scope and of the scopes below it.
  ///
  /// They go in the pod that the scope belongs to as seen from here, and in all pods below that one but those that own
  /// the scope themselves. What is being built at that moment goes to those who wait for it and is not kept.
  ///
  /// - Complexity: O(records of the pods concerned).
  /// - Parameter scope: The scope that ends. Its `children` are asked for each time.
  public func clearCachedInstances(forScope scope: some ProviderScope) {
    clear(scope, for: nil)
  }

  /// Disposes the instance of one provider, whatever its scope; a singleton too.
  ///
  /// - Parameter provider: Whose instance goes.
  public func clearCachedInstance(of provider: some ProviderProtocol) {
    guard let declaration = provider.id.declaration else { return }
    Engine.locked { actingLayer(&$0).clear([declaration], &$0) }
  }

  /// Disposes the instances of all members of a family.
  ///
  /// - Parameter family: Whose instances go.
  public func clearCachedInstances<Member, each Argument>(of family: ProviderFamily<Member, repeat each Argument>) {
    let members = family.family.members.all
    Engine.locked { actingLayer(&$0).clear(members, &$0) }
  }

  /// Disposes everything that this pod and the pods below it keep.
  ///
  /// The pod starts afresh; its overrides stay.
  ///
  /// Asynchronous hooks, and off the main actor those of main-actor instances, are started and not waited for. What a builder still
  /// uses goes after what that makes.
  public func dispose() {
    Engine.locked { actingLayer(&$0).clearAll(&$0) }
  }

  /// Disposes everything that this pod and the pods below it keep, and waits until all hooks are done, those that run already too.
  ///
  /// Hooks of instances that do not depend on each other run at the same time. The pod starts afresh; its overrides stay.
  ///
  /// A builder that still uses what is disposed is waited for, where that has a hook: it goes after what the builder makes. Called by
  /// a builder or a hook, this waits for nothing that may wait for its caller.
  ///
  /// Instances of the main actor have been let go there when it returns, so the main thread must not block until then.
  nonisolated(nonsending)
    public func shutdown() async
  {
    await shutdown(waitsForBuilders: true)
  }

  /// Disposes everything that this pod and the pods below it keep, and waits as ``shutdown()`` does.
  ///
  /// - Parameter waitsForBuilders: Whether for the hooks of what builders are still using, too.
  nonisolated(nonsending)
    package func shutdown(waitsForBuilders: Bool) async
  {
    let teardown = Teardown(waitsForBuilders: waitsForBuilders)
    Engine.locked { actingLayer(&$0).clearAll(for: teardown, &$0) }
    await teardown.wait()
  }

  /// Disposes the instances of a scope and of the scopes below it, and waits until all hooks of such instances are done.
  ///
  /// Hooks that run already, and builders that still use what is disposed, are waited for as by ``shutdown()``.
  ///
  /// Instances of the main actor have been let go there when it returns, so the main thread must not block until then.
  ///
  /// - Parameter scope: The scope that ends.
  nonisolated(nonsending)
    public func shutdown(scope: some ProviderScope) async
  {
    await shutdown(scope: scope, waitsForBuilders: true)
  }

  /// Disposes the instances of a scope and of the scopes below it, and waits as ``shutdown(scope:)`` does.
  ///
  /// - Parameters:
  ///   - scope: The scope that ends.
  ///   - waitsForBuilders: Whether for the hooks of what builders are still using, too.
  nonisolated(nonsending)
    package func shutdown(scope: some ProviderScope, waitsForBuilders: Bool) async
  {
    let teardown = Teardown(waitsForBuilders: waitsForBuilders)
    clear(scope, for: teardown)
    await teardown.wait()
  }

  private func clear(_ scope: some ProviderScope, for teardown: Teardown?) {
    let scopes = ScopeIdentity.tree(below: [scope])
    let name = ScopeIdentity.of(scope).name
    Engine.locked { aftermath in
      let layer = actingLayer(&aftermath)
      let count = layer.clear(scopes, for: teardown, &aftermath)
      layer.emit(.clear(scope: name, count: count), &aftermath)
    }
  }
}

extension Pod {
  // MARK: - Looking without building

  /// Whether a resolve would give an instance that is there already.
  ///
  /// - Parameter provider: What to look for.
  /// - Returns: `true` if an instance is kept.
  public func isCached(_ provider: some ProviderProtocol) -> Bool {
    guard let declaration = provider.id.declaration else { return false }
    return Engine.locked { aftermath in
      Engine.cached(declaration, in: self, for: Asker(outer: nil, frame: nil, build: nil), &aftermath) != nil
    }
  }

  /// Returns the instance of a provider if it is there already; never builds.
  ///
  /// - Parameter provider: What to look for. A builder that asks depends on it as though it had resolved it; where there is
  ///   none, as though it had made a handle of it.
  /// - Returns: The instance, or `nil`.
  public func cachedInstance<Value: Sendable>(of provider: Provider<Value>) -> Value? {
    Engine.cachedValue(provider.declaration, in: self)
  }

  /// Returns the instance of an asynchronous provider if it is there already; never builds or suspends.
  ///
  /// - Parameter provider: What to look for. A builder that asks depends on it as though it had resolved it; where there is
  ///   none, as though it had made a handle of it.
  /// - Returns: The instance, or `nil`.
  public func cachedInstance<Value>(of provider: AsyncProvider<Value>) -> Value? {
    Engine.cachedValue(provider.declaration, in: self)
  }
}

extension Pod {
  /// Adds an observer, which hears of what happens from now on.
  ///
  /// - Parameter observer: Told of what happens in this pod and in pods below it.
  public func addObserver(_ observer: any PodObserver) {
    Engine.locked { actingLayer(&$0).add(observer, &$0) }
  }
}
