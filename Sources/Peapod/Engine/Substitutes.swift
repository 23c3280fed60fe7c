import Synchronization

/// The pods that stand in for others within a `withOverrides` block, for its task and the tasks below.
final class Substitutes: Sendable {
  /// Kept, so that no other layer gets its address.
  // Safe: a constant, of which only the address is read.
  nonisolated(unsafe) private let original: Layer.Object
  fileprivate let substitute: Pod
  /// Given once.
  fileprivate let number = count.wrappingAdd(1, ordering: .relaxed).newValue
  private static let count = Atomic<Int>(0)
  private let outer: Substitutes?
  /// The builder that opened the block: by its frame, until the block is over, or by what stands for it in its task.
  // Safe: read and written under the engine's lock alone, once the block is open.
  @exclusivity(unchecked) nonisolated(unsafe) private var openingFrame: UnsafeMutablePointer<Frame>?
  private let openingBuild: RunningBuild?
  /// What keeps the values of lazies that were made outside within the block, by the numbers of their providers.
  // Safe: read and written under the engine's lock alone.
  @exclusivity(unchecked) nonisolated(unsafe) fileprivate var lazies: [UInt64: Pod] = [:]

  init(_ substitute: Pod, for original: Layer, outer: Substitutes?) {
    self.original = original.object
    self.substitute = substitute
    self.outer = outer
    openingFrame = ThreadContext.frame
    openingBuild = openingFrame == nil ? TaskContext.build : nil
    TaskContext.begin()
  }

  deinit { TaskContext.end() }

  /// The block on the pod with a layer.
  func block(on layer: Layer) -> Substitutes? {
    var next: Substitutes? = self
    while let current = next {
      if Layer(current.original) == layer { return current }
      next = current.outer
    }
    return nil
  }

  /// Whether the running builder opened the block, so that it is its own operation that asks.
  ///
  /// Called with the engine's lock held.
  fileprivate var isOpenedHere: Bool {
    if let frame = ThreadContext.frame { return openingFrame == frame }
    return openingBuild != nil && openingBuild === TaskContext.build
  }

  /// The block is over: lets go what lazies kept within it.
  func end() {
    let lazies = Engine.locked { _ in
      openingFrame = nil
      defer { self.lazies = [:] }
      return self.lazies
    }
    withExtendedLifetime(lazies) {}
  }
}

extension TaskContext {
  /// The pod that stands in, in this task, for the one with a layer.
  ///
  /// A builder that runs for a pod which does not see the block, such as a child made outside, does not see it either: what
  /// it makes is kept outside. A block that the builder itself opens it does see.
  @inline(__always)
  static func substitute(for layer: Layer) -> Pod? {
    guard isActive else { return nil }
    return activeSubstitute(for: layer)
  }

  @inline(never)
  private static func activeSubstitute(for layer: Layer) -> Pod? { block(on: layer)?.substitute }

  /// The block in which this task uses the pod with a layer.
  private static func block(on layer: Layer) -> Substitutes? {
    guard let block = substitutes?.block(on: layer) else { return nil }
    guard let view = ThreadContext.frame?.pointee.view ?? runningBuild?.view, !block.isOpenedHere else { return block }
    return view.root == layer.root && !view.isBelow(orSame: block.substitute.ownLayer) ? nil : block
  }

  /// The number of the block in which this task uses a pod; zero outside of one.
  static func numberOfBlock(on pod: Pod) -> Int {
    guard isActive, substitutes != nil else { return 0 }
    return Engine.locked { _ in block(on: pod.ownLayer)?.number ?? 0 }
  }

  /// The pod that keeps the value of a lazy within the block in which this task uses the pod that resolves it; `nil` outside of one, and
  /// within the block in which the lazy was made.
  ///
  /// `number`: that of the lazy's own provider.
  @inline(never)
  static func podOfLazy(_ number: UInt64, madeIn birth: Int, of source: Pod) -> Pod? {
    guard substitutes != nil else { return nil }
    let found = Engine.locked { _ -> (block: Substitutes, pod: Pod?)? in
      guard let block = block(on: source.ownLayer), block.number != birth else { return nil }
      return (block, block.lazies[number])
    }
    guard let block = found?.block else { return nil }
    if let known = found?.pod { return known }
    let made = Pod(compact: "Lazy")
    return Engine.locked { _ -> Pod in
      // Another thread may have been faster.
      if let known = block.lazies[number] { return known }
      block.lazies[number] = made
      return made
    }
  }
}
