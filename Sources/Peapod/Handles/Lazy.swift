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
public final class Lazy<Value: Sendable>: Sendable {
  // A provider of its own, in a pod of its own: once, thread-safe and part of cycles like any other.
  private let pod: Pod
  private let provider: Provider<Value>

  /// Creates a value that a closure builds.
  ///
  /// - Parameter build: Makes the value, on the thread that first asks for it.
  public init(_ build: @escaping @Sendable () -> Value) {
    pod = Pod(compact: "Lazy")
    provider = Provider("Lazy<\(Value.self)>", fileID: "Peapod/Lazy.swift", line: 0) { _ in build() }
  }

  /// Creates a value that a pod resolves.
  init(_ declaration: Declaration, in source: Pod, outer: Override?) {
    pod = Pod(compact: "Lazy")
    provider = Provider("lazy \(declaration.name)") { _ in Engine.value(declaration, in: source, outer: outer) }
    provider.declaration.takePlace(of: declaration)
  }

  /// The value: built now if it was not before.
  ///
  /// - Complexity: O(1) when it is there.
  public var value: Value { pod.resolve(provider) }

  /// Whether the value is there.
  public var isResolved: Bool { pod.isCached(provider) }

  /// Forgets the value; the next use builds or resolves it again.
  ///
  /// An instance that a pod built is still kept by that pod for as long as its scope says.
  public func dispose() { pod.dispose() }
}
