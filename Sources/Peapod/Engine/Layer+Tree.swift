extension Layer {
  var root: Layer {
    var layer = self
    while let parent = layer.parent { layer = parent }
    return layer
  }

  /// The nearest layer from here upwards that changes anything, else the root: what is asked here is answered as there.
  var effective: Layer {
    var layer = self
    while layer.changes == 0, let parent = layer.parent { layer = parent }
    return layer
  }

  func isBelow(orSame other: Layer) -> Bool {
    var layer: Layer? = self
    while let current = layer, current.depth >= other.depth {
      if current == other { return true }
      layer = current.parent
    }
    return false
  }

  /// Joins the children of the layer above.
  func attach() {
    guard let parent else {
      nextSibling = Layer.firstRoot
      Layer.firstRoot?.previousSibling = self
      Layer.firstRoot = self
      return
    }
    nextSibling = parent.firstChild
    parent.firstChild?.previousSibling = self
    parent.firstChild = self
  }

  /// Leaves the children of the layer above.
  func detach() {
    if let previousSibling {
      previousSibling.nextSibling = nextSibling
    } else if let parent {
      parent.firstChild = nextSibling
    } else {
      Layer.firstRoot = nextSibling
    }
    nextSibling?.previousSibling = previousSibling
    previousSibling = nil
    nextSibling = nil
  }

  /// Calls the body with this layer and all below it, but for those that the condition leaves out with all below them.
  func forEachBelow(unless isLeftOut: (Layer) -> Bool = { _ in false }, _ body: (Layer) -> Void) {
    guard firstChild != nil else { return body(self) }
    var rest = [self]
    while let layer = rest.popLast() {
      body(layer)
      var child = layer.firstChild
      while let current = child {
        child = current.nextSibling
        if !isLeftOut(current) { rest.append(current) }
      }
    }
  }

  /// Has this layer and all below look again at what they see.
  func forgetVerified() {
    Layer.epoch += 1
    forEachBelow { $0.verified.removeAll() }
  }

  static func forEach(_ body: (Layer) -> Void) {
    var root = firstRoot
    while let current = root {
      root = current.nextSibling
      current.forEachBelow(body)
    }
  }

  /// The pod that a builder is given whose build runs for this layer, retained.
  ///
  /// `isOwn`: whether no other builder is to have it. It is not known then where it leads when the build is over.
  func builderPod(isOwn: Bool) -> Unmanaged<Pod> {
    guard !isOwn else { return .passRetained(Pod(handleOf: self, isSettled: false)) }
    if let handle = state.pointee.handle { return .passRetained(handle) }
    let made = Pod(handleOf: self, isSettled: true)
    if !isOrphaned {
      handle = made
      table?.setOwner(self, builderPod: made)
    }
    return .passRetained(made)
  }

  /// The same pod of a root, not retained, if a frame keeps it.
  func handle(of frame: UnsafeMutablePointer<Frame>) -> Unmanaged<Pod>? {
    // Safe: who runs the frame's builder keeps its pod.
    frame.pointee.view == self ? .passUnretained(frame.pointee.pod) : nil
  }

  /// The last outside reference to the pod has gone.
  ///
  /// - Returns: What is to be released without the lock.
  func orphan(_ aftermath: inout Aftermath) -> Pod? {
    defer { parentPod = nil }
    isOrphaned = true
    setPod(nil)
    if let handle { aftermath.release(.passRetained(handle)) }
    table?.setOwner(self, builderPod: nil)
    handle = nil
    detach()
    return parentPod
  }
}
