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
  /// The outermost frame of the thread.
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

  /// The dependency cycle from a running unrecorded builder of the same transient to this frame; `nil` if there is no such builder.
  func path(fromSame declaration: Declaration) -> [ProviderInfo]? {
    let isThorough = pointee.depth & (pointee.depth + 1) == 0
    var path: [ProviderInfo] = []
    var frame: UnsafeMutablePointer<Frame>? = self
    var count = 0
    while let current = frame, isThorough || count < 64 {
      if current.isOf(declaration), current.pointee.definition == nil {
        var step: UnsafeMutablePointer<Frame>? = self
        while let own = step {
          let declaration = own.pointee.declaration.takeUnretainedValue()
          let scope = own.pointee.definition?.takeUnretainedValue().ownScope
          path.append(ProviderInfo(declaration, scope: scope ?? declaration.scope))
          step = own == current ? nil : own.pointee.parent
        }
        return path.reversed()
      }
      count += 1
      frame = current.pointee.parent
    }
    return nil
  }
}
