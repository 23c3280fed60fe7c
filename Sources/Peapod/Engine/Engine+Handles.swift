/// What handles need: deferred dependencies, and instances that belong to one use.
extension Engine {
  /// Records that a builder made a handle of a provider.
  ///
  /// - Returns: The override whose builder made a handle of the very provider that it overrides.
  static func promise(_ declaration: Declaration, in pod: Pod) -> Override? {
    let current = Asker.current(for: declaration)
    guard current.build != nil || pod.isUndecided else { return current.outer?.object }
    return locked { aftermath in
      let asker = current.asking(pod, for: declaration)
      guard let build = asker.recorder else { return asker.outer?.object }
      declaration.mayBePromised = true
      let view = pod.actingLayer(&aftermath).effective
      let override = view.override(of: declaration, after: asker.outer)
      var home = view.home(of: declaration, by: override)
      if let family = declaration as? FamilyDeclaration {
        var layer = view
        while layer != home, let parent = layer.parent, !layer.overridesMember(of: family, below: parent) {
          layer = parent
        }
        home = layer
      }
      let kind = override?.ownKind ?? declaration.scopeKind
      let known = known(declaration, override, view: view, home: home, asker: asker)
      let target: Entry
      if let known, known.state == .promised || kind != .alwaysCreateNew && kind != .graph {
        target = known
      } else {
        // Where the outermost pod that may keep it has one that this pod does not see, this pod builds its own.
        let isOwn = known == nil && home != view && hasRecord(of: declaration, override, in: home)
        target = Entry.make(declaration, override, in: known?.layer ?? (isOwn ? view : home), state: .promised)
        target.layer.insert(target, of: declaration)
        // Of what is not kept the handle will give another one, built from the same.
        if let known { leadOn(target, from: known, &aftermath) }
      }
      let isForeign = build.isForeign(view)
      build.entry.depend(on: target, isDeferred: true, isForeign: isForeign)
      if !isForeign { deepen(build, to: target.layer, asSeenFrom: view, &aftermath) }
      // Who waits from a pod that changes what the handle is of would not get this instance.
      if foreignWaiters > 0 { turnAwayBlind(build, &aftermath) }
      return asker.outer?.object
    }
  }

  private static func hasRecord(of declaration: Declaration, _ override: Override.Pointer?, in layer: Layer) -> Bool {
    var entry = layer.records(of: declaration)
    while let candidate = entry, !candidate.isMade(by: override) { entry = candidate.next }
    return entry != nil
  }

  private static func known(
    _ declaration: Declaration, _ override: Override.Pointer?, view: Layer, home: Layer, asker: Asker
  ) -> Entry? {
    var layer = view
    var found: Entry?
    while true {
      var entry = layer.records(of: declaration)
      while let candidate = entry {
        entry = candidate.next
        guard candidate.isMade(by: override), view.sees(candidate, after: asker.outer) else { continue }
        if candidate.state == .promised { return candidate }
        found = found ?? candidate
      }
      guard found == nil, layer != home, let parent = layer.parent else { return found }
      layer = parent
    }
  }

  /// Builds an instance that no pod keeps, together with the record of what it was built from.
  static func freshAsyncValue<Value: Sendable>(
    isolation: isolated (any Actor)? = #isolation, _ declaration: Declaration, in pod: Pod
  ) async throws -> (Entry, Value) {
    let build = try beginFresh(declaration, in: pod, outer: nil)
    // It keeps the pod itself.
    build.withPod { _ in }
    let (entry, stored) = try await runHere(build) { (finishFresh(build, $0, &$1), $0) }
    return (entry, stored.load(as: Value.self, isReference: declaration.isReference))
  }

  static func beginFresh(_ declaration: Declaration, in pod: Pod, outer: Override?) throws -> Build {
    let step = locked {
      plan(
        declaration, in: pod, below: ThreadContext.frame, outer: outer.map { .init($0) }, into: nil, isolated: true, &$0
      )
    }
    switch step {
    case .build(let build): return build
    case .cycle(let path):
      try stop(at: declaration, path)
    case .unowned(let scope, let pod):
      fatalError(Failure.unowned(declaration, scope, pod: pod))
    case .ready, .wait, nil: break
    }
    fatalError(Failure.abstract())
  }

  /// A fresh instance is built: it belongs to its user, who disposes it.
  static func finishFresh(_ build: Build, _ value: StoredValue, _ aftermath: inout Aftermath) -> Entry {
    let entry = build.entry
    finishTransient(build, of: build.declaration, fresh: value, &aftermath)
    build.letGo(&aftermath)
    return entry
  }

  /// Builds a fresh instance of a synchronous provider.
  static func fresh(_ declaration: Declaration, in pod: Pod, outer: Override?) -> (Entry, StoredValue) {
    do {
      let build = try beginFresh(declaration, in: pod, outer: outer)
      return try build.withPod { try runFresh(build, of: declaration, $0) }
    } catch {
      fatalError(Failure.threw(declaration, error))
    }
  }
}

/// An instance of a synchronous provider for one use.
struct FreshInstance<Value> {
  private let entry: Entry
  /// The entry's own, for as long as it is not disposed.
  private let stored: StoredValue
  private let isReference: Bool

  init(_ declaration: Declaration, in pod: Pod, outer: Override?) {
    (entry, stored) = Engine.fresh(declaration, in: pod, outer: outer)
    isReference = declaration.isReference
  }

  var value: Value { stored.load(as: Value.self, isReference: isReference) }

  func dispose() {
    Engine.locked { Teardown.begin(entry, isFinal: true, &$0) }
  }
}
