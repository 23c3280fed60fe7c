/// A step on the stack of one thread: the synchronous builder that it runs.
struct Frame {
  let parent: UnsafeMutablePointer<Frame>?
  /// The outermost builder of the thread; `nil` for that one itself.
  fileprivate let outermost: UnsafeMutablePointer<Frame>?
  /// Of the outermost builder: the innermost one of its thread.
  fileprivate var innermost: UnsafeMutablePointer<Frame>?
  // Unretained: whoever runs the builder holds all of these until the frame is gone.
  let declaration: Unmanaged<Declaration>
  let override: Override.Pointer?
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

  init(
    below parent: UnsafeMutablePointer<Frame>?, _ declaration: Declaration, _ override: Override.Pointer?, view: Layer,
    pod: Pod, build: Build?, isMain: Bool?
  ) {
    self.parent = parent
    outermost = parent?.bottom
    self.declaration = .passUnretained(declaration)
    self.override = override
    self.view = view
    self.pod = pod
    self.build = build
    depth = (parent?.pointee.depth ?? -1) &+ 1
    self.isMain = isMain
  }
}

extension UnsafeMutablePointer<Frame> {
  /// Whether its builder is one of a provider.
  @inline(__always)
  func isOf(_ declaration: Declaration) -> Bool {
    pointee.declaration.toOpaque() == Unmanaged.passUnretained(declaration).toOpaque()
  }

  /// The override whose builder it is, if that overrides a provider.
  @inline(__always)
  func override(of declaration: Declaration) -> Override.Pointer? {
    isOf(declaration) ? pointee.override : nil
  }

  /// The outermost builder of the thread.
  @inline(__always)
  var bottom: UnsafeMutablePointer<Frame> { pointee.outermost ?? self }

  /// Becomes the innermost builder of the running thread.
  @inline(__always)
  func enter() {
    bottom.pointee.innermost = self
    if pointee.outermost == nil { ThreadContext.bottom = self }
  }

  /// Stops being that.
  @inline(__always)
  func leave() {
    if let outermost = pointee.outermost {
      outermost.pointee.innermost = pointee.parent
    } else {
      ThreadContext.bottom = nil
    }
  }
}

extension ThreadContext {
  /// The innermost synchronous build of the running thread.
  ///
  /// Only the outermost one is noted with the thread, which is dearer than to note the others there.
  @inline(__always)
  static var frame: UnsafeMutablePointer<Frame>? { bottom?.pointee.innermost }
}

extension UnsafeMutablePointer<Frame> {
  /// The way from an unrecorded builder of the same transient to itself; `nil` if there is none.
  ///
  /// Far up it is looked for only at depths that are powers of two: endless recursion is still found.
  func repetition(of declaration: Declaration) -> [ProviderInfo]? {
    let isThorough = pointee.depth & (pointee.depth + 1) == 0
    var path: [ProviderInfo] = []
    var next: UnsafeMutablePointer<Frame>? = self
    var count = 0
    while let frame = next, isThorough || count < 64 {
      if frame.isOf(declaration), frame.pointee.override == nil {
        var step: UnsafeMutablePointer<Frame>? = self
        while let current = step {
          let own = current.pointee
          let declaration = own.declaration.takeUnretainedValue()
          path.append(ProviderInfo(declaration, scope: own.override?.object.ownScope ?? declaration.scope))
          step = current == frame ? nil : own.parent
        }
        path.reverse()
        return path + path.prefix(1)
      }
      count += 1
      next = frame.pointee.parent
    }
    return nil
  }
}
