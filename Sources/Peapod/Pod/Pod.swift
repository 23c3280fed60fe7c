import Synchronization

/// Resolves providers, keeps what they build for as long as their scopes say, and can override any of them.
///
/// ```swift
/// let pod = Pod()
/// let report = pod.resolve(reportProvider)
/// ```
/// A pod records which provider asks for which. So overrides, child pods, teardown and drawings follow from what was
/// built, and nothing has to be declared for them.
///
/// - Note: All methods may be called from any thread, and from within builders, hooks and observers. No lock is held while
///   such code runs.
public final class Pod: Sendable {
  /// The pod of programs that need only one.
  public static let shared = Pod("shared")

  /// The pod at work in this task; ``shared`` unless a block or a test says otherwise.
  @TaskLocal public static var current: Pod = .shared

  /// The pod above, if this is a child.
  public var parent: Pod? { Engine.locked { actingLayer(&$0).parentPod } }

  /// The name for messages and drawings.
  public var name: String { Engine.locked { actingLayer(&$0).name } }

  /// The address of the layer, retained; zero while the layer is not decided, as it is for the pod of a child's builder.
  private let settled: Atomic<UInt>
  /// The address of the root's directory of slots, while every request to this pod is answered as the root would; or zero.
  ///
  /// Set and cleared with the engine's lock held. The layer keeps the directory alive.
  private let directoryAddress = Atomic<UInt>(0)
  /// Whether somebody made this pod, so that its layer ends with it; a builder is given one that does not.
  let isOwner: Bool

  // Safe: all are read and written under the engine's lock alone, once the pod is made.

  /// Of a pod that a builder was given: the layer for which it runs, kept, until it is known where the instance lives.
  nonisolated(unsafe) private var undecided: Layer?
  /// Of such a pod: whose builder it was given, as long as that build is under way.
  nonisolated(unsafe) var build: Build?
  /// Of such a pod: the one that it goes on with after its own has gone.
  nonisolated(unsafe) private var successor: Pod?

  /// Creates a pod of its own.
  ///
  /// - Parameters:
  ///   - name: A name for messages and drawings.
  ///   - observers: Told of what happens in this pod and in pods below it.
  public convenience init(_ name: String = "Pod", observers: [any PodObserver] = []) {
    self.init(owning: Layer.make(name, parentPod: nil, parent: nil, owned: ScopeSet(), observers: observers))
    Engine.locked { _ in layer?.attach() }
  }

  /// Creates a pod for very few providers: it needs little memory, and a lock to read.
  convenience init(compact name: String) {
    self.init(owning: Layer.make(name, parentPod: nil, parent: nil, owned: ScopeSet(), observers: [], isCompact: true))
    Engine.locked { _ in layer?.attach() }
  }

  /// Creates the pod that owns a layer, which the caller attaches, and keeps it in place of the caller.
  init(owning layer: Layer) {
    settled = Atomic(layer.address)
    isOwner = true
    layer.setPod(self)
  }

  /// Creates a pod that uses a layer without keeping alive what it keeps.
  init(handleOf layer: Layer, isSettled: Bool) {
    layer.retain()
    settled = Atomic(isSettled ? layer.address : 0)
    isOwner = false
    undecided = isSettled ? nil : layer
  }

  deinit {
    if isOwner, let layer { layer.retire() }
    layer?.release()
    undecided?.release()
  }
}

// MARK: - The layer

extension Pod {
  @inline(__always)
  var directory: SlotTable.Directory? {
    SlotTable.Directory(bitPattern: directoryAddress.load(ordering: .acquiring))
  }

  /// Lets this pod read the slots of its root from now on, if it is answered as the root is.
  ///
  /// Called with the lock held.
  func refreshDirectory(from view: Layer) {
    guard let found = view.table?.directory, found != directory else { return }
    // A child of a handle may come to lie below another root, so it goes the long way. Nor is this pod's own layer the one
    // that answers where another stands in for it.
    guard let layer, layer.effective == view, layer.parent == nil || isOwner && layer.hasSettledParents,
      !layer.isOrphaned
    else { return }
    directoryAddress.store(UInt(bitPattern: found), ordering: .releasing)
  }

  /// Stops reading the slots of the root: this pod, or one above, changes something.
  ///
  /// Called with the lock held.
  func forgetDirectory() {
    directoryAddress.store(0, ordering: .relaxed)
  }

  /// The layer as decided; `nil` while it is not.
  @inline(__always)
  var layer: Layer? {
    // Safe: the layer was retained when its address was stored, and is released with this pod.
    Layer(at: settled.load(ordering: .acquiring))
  }

  /// Whether a builder was given this, and it is not known yet where the instance lives.
  var isUndecided: Bool { layer == nil }

  /// The layer that answers now: that of a pod that stands in for this one, or that of the successor of a pod that has gone.
  ///
  /// Called with the engine's lock held.
  func actingLayer(_ aftermath: inout Aftermath) -> Layer {
    var found = ownLayer
    if let substitute = TaskContext.substitute(for: found) { found = substitute.ownLayer }
    if found.isOrphaned { found = successor(of: found, &aftermath) }
    found.followParent(&aftermath)
    return found
  }

  /// The layer that this pod was made with, or what became of it.
  var ownLayer: Layer {
    // Safe: a pod without a layer has one that is not decided.
    layer ?? undecided.unsafelyUnwrapped
  }

  /// The same layer, or the one that goes on for it, if its pod has gone and this one was asked since.
  ///
  /// Called with the engine's lock held.
  var layerInPlace: Layer {
    let own = ownLayer
    // This pod keeps its successor, so that none comes to its end here, under the lock.
    return own.isOrphaned ? successor?.ownLayer ?? own : own
  }

  private func successor(of gone: Layer, _ aftermath: inout Aftermath) -> Layer {
    let next: Pod
    if let known = successor ?? gone.successor {
      next = known
    } else {
      next = Pod(owning: gone.fresh(observers: []))
      next.ownLayer.attach()
      gone.successor = next
    }
    // Whoever holds this handle holds the successor: with the last handle that one goes too.
    if !isOwner, successor == nil { successor = next }
    return next.ownLayer
  }

  /// Points the pod that a builder was given at the layer in which the instance lives.
  ///
  /// Called with the lock held.
  func settle(at home: Layer, _ aftermath: inout Aftermath) {
    guard let undecided else { return }
    if undecided != home {
      aftermath.release(undecided.retained)
      home.retain()
    }
    settleUnmoved(at: home)
  }

  /// The same, where that is the layer for which the builder ran.
  @inline(__always)
  func settleUnmoved(at home: Layer) {
    undecided = nil
    settled.store(home.address, ordering: .releasing)
  }
}

extension Layer {
  /// Whether the pods above are held as such, so that this layer stays below them.
  var hasSettledParents: Bool {
    guard let parentPod else { return true }
    return parentPod.isOwner && (parent?.hasSettledParents ?? true)
  }

  /// A new and empty layer with the configuration of this one, kept for the caller.
  func fresh(below parentPod: Pod? = nil, observers: [any PodObserver]) -> Layer {
    // Whoever holds a handle of a pod that has gone holds the layers above, but not their pods.
    let above = parentPod ?? self.parentPod ?? parent.map { Pod(handleOf: $0, isSettled: true) }
    let layer = Layer.make(
      name, parentPod: above, parent: above?.ownLayer, owned: owned, observers: observers)
    overrides.forEachValue { _ = layer.setOverride(.init(retaining: $0.object.copy())) }
    return layer
  }

  /// Whether this layer's pod and those above are there, so that requests are answered here.
  @inline(__always)
  var isInPlace: Bool {
    var layer: Layer? = self
    while let current = layer, !current.isOrphaned { layer = current.parent }
    return layer == nil
  }

  /// Follows the pods above to their successors, where those have gone.
  @inline(__always)
  func followParent(_ aftermath: inout Aftermath) {
    var layer = self
    while let parent = layer.parent {
      if parent.isOrphaned { return layer.followSuccessor(of: parent, &aftermath) }
      layer = parent
    }
  }

  @inline(never)
  private func followSuccessor(of gone: Layer, _ aftermath: inout Aftermath) {
    guard let parentPod else { return }
    aftermath.release(.passRetained(gone.object))
    let next = parentPod.actingLayer(&aftermath)
    detach()
    parent = next
    attach()
    Layer.epoch += 1
    verified.removeAll()
  }
}
