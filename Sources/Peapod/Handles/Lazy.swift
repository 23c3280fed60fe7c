/// A value that is built when it is first asked for, once, however many threads ask.
///
/// ```swift
/// final class Player: Sendable {
///   let engine: Lazy<AudioEngine>
///   init(engine: Lazy<AudioEngine>) { self.engine = engine }
/// }
/// let playerProvider = Provider { pod in Player(engine: pod.lazy(engineProvider)) }
/// ```
/// It breaks a construction cycle, and it can be used with no pod at all: `Lazy { expensiveThing() }`.
///
/// Within a block of `withOverrides` on the pod that resolves it, a lazy that was made outside has a value of its own, which goes with
/// the block.
public final class Lazy<Value: Sendable>: Sendable {
  // A provider of its own, in a pod of its own: once, thread-safe and part of cycles like any other.
  private let pod: Pod
  private let provider: Provider<Value>
  /// The pod that resolves it, if one does.
  private let source: Pod?
  /// The number of the block in which it was made.
  private let birth: Int

  /// Creates a value that a closure builds.
  ///
  /// - Parameter build: Makes the value, on the thread that first asks for it.
  public init(_ build: @escaping @Sendable () -> Value) {
    pod = Pod(compact: "Lazy")
    (source, birth) = (nil, 0)
    provider = Provider("Lazy<\(Value.self)>", fileID: "Peapod/Lazy.swift", line: 0) { _ in build() }
  }

  /// Creates a value that a pod resolves.
  init(_ declaration: Declaration, in source: Pod, outer: Override?) {
    pod = Pod(compact: "Lazy")
    (self.source, birth) = (source, TaskContext.numberOfBlock(on: source))
    provider = Provider("lazy \(declaration.name)") { _ in Engine.value(declaration, in: source, outer: outer) }
    provider.declaration.takePlace(of: declaration)
  }

  /// What keeps the value: within a block on the pod that resolves it, if it is older than that, a pod of the block.
  private var home: Pod {
    guard TaskContext.isActive, let source else { return pod }
    return TaskContext.podOfLazy(provider.declaration.number, madeIn: birth, of: source) ?? pod
  }

  /// The value: built now if it was not before.
  ///
  /// - Complexity: O(1) when it is there.
  public var value: Value { home.resolve(provider) }

  /// Whether the value is there.
  public var isResolved: Bool { home.isCached(provider) }

  /// Forgets the value; the next use builds or resolves it again.
  ///
  /// An instance that a pod built is still kept by that pod for as long as its scope says.
  public func dispose() { home.dispose() }
}
