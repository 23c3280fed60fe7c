/// One synchronous builder on the stack of a thread.
struct Frame {
  let parent: UnsafeMutablePointer<Frame>?
  // Unretained: the caller of the builder retains these objects until the builder has returned.
  let declaration: Unmanaged<Declaration>
  /// The override whose builder runs.
  let definition: Unmanaged<Override>?
  /// The pod that the builder received.
  let pod: Unmanaged<Pod>
  /// The state for which the builder runs.
  let view: Unmanaged<PodState>
  /// The build; `nil` for a transient whose dependencies are not recorded.
  let build: Unmanaged<Build>?
  let depth: Int
  /// The graph-scoped instances of the top-level resolve, if this is the outermost frame and no build records them.
  var graph: GraphInstances?

  init(
    above parent: UnsafeMutablePointer<Frame>?, _ declaration: Declaration, _ definition: Override?, pod: Pod,
    view: PodState, build: Build?
  ) {
    self.parent = parent
    self.declaration = .passUnretained(declaration)
    self.definition = definition.map { .passUnretained($0) }
    self.pod = .passUnretained(pod)
    self.view = .passUnretained(view)
    self.build = build.map { .passUnretained($0) }
    depth = (parent?.pointee.depth ?? -1) &+ 1
  }
}

extension UnsafeMutablePointer<Frame> {
  var outermost: UnsafeMutablePointer<Frame> {
    var frame = self
    while let parent = frame.pointee.parent { frame = parent }
    return frame
  }

  /// Whether a builder of a provider runs in this frame.
  @inline(__always)
  func isOf(_ declaration: Declaration) -> Bool {
    pointee.declaration.toOpaque() == Unmanaged.passUnretained(declaration).toOpaque()
  }
}
