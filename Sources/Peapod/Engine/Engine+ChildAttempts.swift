/// The short ways of a child, as each request of a server has one: for what its root keeps, for what the child itself was given, and
/// for what is built of these for the child alone.
///
/// A request takes each of them once, when the processor has none of its code at hand any longer. So it counts how much of that is
/// passed, more than how often: here it is a part of what `plan`, `give` and `finish` do, which look at all that there may be.
extension Engine {
  /// The layer of a child of a root for which a request may be answered here; needs no lock.
  ///
  /// `frame`: that of the running thread.
  @inline(__always)
  static func simpleChild(
    _ pod: Pod, askedFor declaration: Declaration, below frame: UnsafeMutablePointer<Frame>?
  ) -> Layer? {
    guard declaration.isSimpleInChild, !TaskContext.isActive else { return nil }
    let view: Layer
    if let frame {
      // What a decorator asks for, and what is asked of another pod than the builder's own, is not so simple.
      guard frame.pointee.pod === pod, frame.pointee.build != nil, !frame.isOf(declaration) else { return nil }
      view = frame.pointee.view
    } else {
      guard pod.isOwner, let layer = pod.layer else { return nil }
      view = layer
    }
    return view.depth == 1 ? view : nil
  }

  /// Answers a request to a child, or begins to build for it.
  ///
  /// `frame`: that of the running thread, whose builder was given the pod that is asked. `memory`: where the instance is copied.
  @inline(never)
  static func attemptInChild(
    _ declaration: Declaration, in view: Layer, below frame: UnsafeMutablePointer<Frame>?,
    into memory: UnsafeMutableRawPointer
  ) -> Attempt {
    lockedBriefly {
      guard let root = view.state.pointee.parent, let table = root.state.pointee.records, !view.isOrphaned,
        !root.isOrphaned, view.changes != 0, detachedBuilds == 0, foreignWaiters == 0,
        let place = table._withUnsafeGuaranteedRef({ $0.place(of: declaration.index) })
      else { return Attempt() }
      let asking = frame?.pointee.build
      let bit = declaration.bit
      if view.changes & bit != 0, let override = view.ownOverride(of: declaration) {
        return give(declaration, override, in: view, asking, into: memory)
      }
      guard view.ownRecord(of: declaration) == nil else { return Attempt() }
      if declaration.isTransient || declaration.scopeKind == .custom && view.owns(declaration.scopeID) {
        guard root.changes & bit == 0, let build = beginInChild(declaration, in: view, root, place, asking) else {
          return Attempt()
        }
        return Attempt(isDone: true, build: build)
      }
      guard let kept = place.record.pointee, kept.isPublished, let value = kept.value, !view.mayChange(kept, kept.mask)
      else { return Attempt() }
      declaration.copy(value, to: memory)
      asking?.entry.dependSimply(on: kept)
      return Attempt(isDone: true)
    }
  }

  /// Answers with the value that an override of the child itself gives.
  @inline(__always)
  private static func give(
    _ declaration: Declaration, _ override: Override.Pointer, in view: Layer, _ asking: Build?,
    into memory: UnsafeMutableRawPointer
  ) -> Attempt {
    guard override.isGiven, !declaration.isMainActor, override.ownKind == nil, !declaration.isTransient,
      !declaration.requiresOwner || view.owns(declaration.scopeID)
    else { return Attempt() }
    let entry: Entry
    if let known = view.ownRecord(of: declaration) {
      guard known.state == .kept, known.isMade(by: override), let value = known.value,
        asking?.isDeepened(to: view, leaving: 0) ?? true
      else { return Attempt() }
      declaration.copy(value, to: memory)
      entry = known
    } else {
      guard view.state.pointee.ownRecords.freePlaces > 0, asking?.isDeepened(to: view, leaving: 1) ?? true else {
        return Attempt()
      }
      override.noteUse()
      let value = override.with { $0.lend(declaration) }
      entry = Entry.makeFirst(declaration, override, .kept, in: view)
      _ = view.state.pointee.ownRecords.add(entry, forNew: declaration.index)
      declaration.register(in: view)
      entry.keepFirst(value, inclusive: 0, exclusive: 0, onMain: false, nextSerial())
      declaration.copy(value, to: memory)
    }
    asking?.entry.dependSimply(on: entry)
    return Attempt(isDone: true)
  }

  /// Begins to build, for a child, what nothing overrides: a transient, or what the child has to keep.
  @inline(__always)
  private static func beginInChild(
    _ declaration: Declaration, in view: Layer, _ root: Layer, _ place: SlotTable.Place, _ asking: Build?
  ) -> Build? {
    let keeps = !declaration.isTransient
    let entry: Entry
    if keeps {
      guard view.state.pointee.ownRecords.freePlaces > 0, asking?.isDeepened(to: view, leaving: 1) ?? true else {
        return nil
      }
      entry = Entry.makeFirst(declaration, nil, .building, in: view)
      _ = view.state.pointee.ownRecords.add(entry, forNew: declaration.index)
      declaration.register(in: view)
    } else {
      if let asking, asking.chain(fromSame: declaration, nil, view: view) != nil { return nil }
      // As any other it belongs to the root, until it asks for something that belongs to the child.
      entry = Entry.makeFirst(declaration, nil, .building, in: root)
      entry.next = place.record.pointee
      place.record.pointee = entry
      declaration.register(in: root)
    }
    let build = Build.make(
      declaration, nil, entry: entry, view: view, asking: asking, outer: nil, pod: view.builderPod(isOwn: true))
    build.keeps = keeps
    build.ownPod()
    asking?.pending.append(Build.Pending(build, isForeign: false))
    return build
  }

  /// Ends a build whose instance belongs to the child for which it runs, and that concerns nobody but who asked for it; returns whether
  /// it is such a one.
  ///
  /// `value`: what the child is to keep, and `memory`, where it is copied; both `nil` for a transient.
  @inline(never)
  static func attemptToFinishInChild(
    _ build: Build, of declaration: Declaration, _ value: StoredValue? = nil,
    into memory: UnsafeMutableRawPointer? = nil
  ) -> Bool {
    lockedBriefly {
      let (view, entry) = (build.view, build.entry)
      guard entry.layer == view, build.isUnnoticedInChild, entry.isUnnoticedInChild,
        entry.scopeKind == (value == nil ? .alwaysCreateNew : .custom), view.ownRecord(of: declaration) == entry,
        !declaration.mayBePromised, foreignWaiters == 0, !view.isObserved, !view.isOrphaned
      else { return false }
      let asking = build.state.pointee.asking
      if let asking { guard !asking.hasEnded, asking.entry.layer == view else { return false } }
      let inclusive = build.time()
      let exclusive = inclusive - build.nested
      if let value, let memory {
        entry.keepFirst(value, inclusive: inclusive, exclusive: exclusive, onMain: build.ranOnMain, nextSerial())
        declaration.copy(value, to: memory)
      } else {
        entry.noteFirst(inclusive: inclusive, exclusive: exclusive, onMain: build.ranOnMain, nextSerial())
        entry.state = .record
      }
      if let asking {
        asking.stopPending(build)
        asking.nested += inclusive
        asking.entry.dependSimply(on: entry)
      }
      build.settleUnmoved(at: view)
      build.endUnnoticed()
      return true
    }
  }
}

extension Declaration {
  /// Whether it is built synchronously, and neither weak nor for one outermost resolve, nor a member of a family; needs no lock.
  @inline(__always)
  fileprivate var isSimpleInChild: Bool {
    kind != .async && scopeKind != .weak && scopeKind != .graph && details?.family == nil
  }
}

extension Build {
  /// Whether nobody waits for it or has it, nothing that it is built from has changed, and it was asked of who asks' own pod.
  @inline(__always)
  fileprivate var isUnnoticedInChild: Bool {
    state.pointee.flags == .ownsPod && !state.pointee.isHeld && state.pointee.details == nil
  }

  /// Has its pod say that it leads to the child for which it ran.
  @inline(__always)
  fileprivate func settleUnmoved(at home: Layer) {
    // Safe: as for `pod`.
    state.pointee.pod._withUnsafeGuaranteedRef {
      $0.build = nil
      $0.settleUnmoved(at: home)
    }
  }

  /// Sees to it that what it makes belongs to the child for which it runs, and with it what is built from that; returns whether it does,
  /// or was simply moved.
  ///
  /// Mostly it is the only one of its provider that is being built as if it belonged to the root. `leaving`: how many places the child
  /// is to have left.
  @inline(never)
  fileprivate func isDeepened(to view: Layer, leaving free: Int) -> Bool {
    let entry = entry
    if entry.layer == view { return true }
    guard state.pointee.flags == .ownsPod, state.pointee.details == nil, entry.isListed, entry.dependents.isEmpty,
      entry.next == nil, entry.layer == view.parent, let table = entry.layer.state.pointee.records
    else { return false }
    if let asking = state.pointee.asking {
      guard !asking.hasEnded, asking.isDeepened(to: view, leaving: free + 1) else { return false }
    }
    // Safe: as for `pod`.
    return state.pointee.declaration._withUnsafeGuaranteedRef { declaration in
      guard view.state.pointee.ownRecords.freePlaces > free, view.ownRecord(of: declaration) == nil,
        table._withUnsafeGuaranteedRef({ $0.removeOnly(entry, declaration.index) })
      else { return false }
      if declaration.home == entry.layer { declaration.home = nil }
      entry.layer = view
      _ = view.state.pointee.ownRecords.add(entry, forNew: declaration.index)
      declaration.register(in: view)
      return true
    }
  }
}

extension Entry {
  /// Whether it is in its table, being built by its provider's own builder, and whether nothing else is to be known of it.
  @inline(__always)
  fileprivate var isUnnoticedInChild: Bool {
    let flags = storage.pointee.flags.subtracting(.ranOnMain).rawValue & Field.flagBits
    // What is kept longer than what it was built from is told of.
    let allowed: Flags = scopeKind == .alwaysCreateNew ? .mayBeCaptor : []
    return flags & ~allowed.rawValue == Flags([.isListed, .isBuilding]).rawValue && storage.pointee.next == nil
      && storage.pointee.dependents.isEmpty
  }

  /// Records that this, which is being built, was built from another entry.
  @inline(__always)
  fileprivate func dependSimply(on other: Entry) {
    guard serial == 0, storage.pointee.dependents.isEmpty, !other.asksElsewhere, other != self,
      !storage.pointee.dependencies.contains(where: { $0.entry == other })
    else {
      depend(on: other, isDeferred: false, isForeign: false)
      return
    }
    storage.pointee.mask |= other.mask
    storage.pointee.dependencies.append(
      Dependency(entry: other, position: other.dependents.count, isDeferred: false, hasHandle: false, isForeign: false))
    other.dependents.append(Dependent(entry: self, position: storage.pointee.dependencies.count - 1))
    if other.scopeKind != .singleton { noteScope(of: other, isDeferred: false) }
  }
}
