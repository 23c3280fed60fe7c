/// A step on the stack of one thread: the synchronous builder that it runs.
struct Frame {
  let parent: UnsafeMutablePointer<Frame>?
  // Unretained: whoever runs the builder holds all of these until the frame is gone.
  let declaration: Unmanaged<Declaration>
  let override: Unmanaged<Override>?
  let view: Layer
  /// The pod that the builder was given.
  unowned(unsafe) let pod: Pod
  /// The build that records what is asked for; `nil` for a transient that nothing is built from.
  let build: Build?
  let depth: Int
  /// Whether the thread is the main one; `nil` while nobody asked.
  let isMain: Bool?
  /// What graph-scoped providers gave within this outermost resolve, where no build records it.
  var graphEntries = ShortList<Entry>()
}

extension UnsafeMutablePointer<Frame> {
  /// Whether its builder is one of a provider.
  @inline(__always)
  func isOf(_ declaration: Declaration) -> Bool {
    pointee.declaration.toOpaque() == Unmanaged.passUnretained(declaration).toOpaque()
  }

  /// The override whose builder it is, if that overrides a provider.
  @inline(__always)
  func override(of declaration: Declaration) -> Override? {
    guard let override = pointee.override, isOf(declaration) else { return nil }
    return override.takeUnretainedValue()
  }

  /// The outermost builder of the thread.
  var bottom: UnsafeMutablePointer<Frame> {
    var frame = self
    while let parent = frame.pointee.parent { frame = parent }
    return frame
  }
}
