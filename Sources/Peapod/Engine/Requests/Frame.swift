/// One synchronous builder on the stack of a thread, or an observer or a disposal closure within a builder.
struct Frame {
  let parent: UnsafeMutablePointer<Frame>?
  // Unretained: the caller of the builder retains these objects until the builder has returned.
  let declaration: Unmanaged<Declaration>
  /// The pod that the builder received; `nil` for an observer or a disposal closure.
  let pod: Unmanaged<Pod>?
  /// The build; `nil` for a transient whose dependencies are not recorded.
  let build: Unmanaged<Build>?
  let depth: Int
  /// The graph-scoped instances of the top-level resolve, if this is the outermost frame and no build records them.
  var graph: GraphInstances?

  init(above parent: UnsafeMutablePointer<Frame>?, _ declaration: Declaration, pod: Unmanaged<Pod>?, build: Build?) {
    self.parent = parent
    self.declaration = .passUnretained(declaration)
    self.pod = pod
    self.build = build.map { .passUnretained($0) }
    depth = (parent?.pointee.depth ?? -1) &+ 1
  }
}
