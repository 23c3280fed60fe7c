/// A value that is resolved once, on the first use.
///
/// A `Lazy` is thread-safe.
///
/// ```swift
/// final class Player: Sendable {
///   let engine: Lazy<AudioEngine>
///   init(engine: Lazy<AudioEngine>) { self.engine = engine }
/// }
/// let playerProvider = Provider { pod in Player(engine: pod.lazy(engineProvider)) }
/// ```
/// A `Lazy` makes a dependency cycle legal, and it works without a pod: `Lazy { expensiveThing() }`.
///
/// In an override scope of its pod, a `Lazy` that was made outside has a separate value. The scope releases that value.
public final class Lazy<Value: Sendable>: Sendable {
  // A provider of its own, in a pod of its own. So the value is resolved once and thread-safely, and dependency cycles
  // are found as for any other provider.
  private let pod: Pod
  private let provider: Provider<Value>
  /// The pod that resolves the value, or `nil` if a closure builds it.
  private let source: Pod?
  /// The number of the override scope in which this `Lazy` was made.
  private let birth: Int

  /// Creates a `Lazy` whose value a closure builds.
  ///
  /// ``Injected`` properties of the objects that the closure makes use the pod of the builder that runs at the first use, or else
  /// ``Pod/current``. In a builder, use ``Pod/lazy(_:)``: an override of what this closure
  /// resolves after the end of the build does not reach the holder.
  ///
  /// - Parameter build: The closure that builds the value, on the thread of the first use.
  public init(_ build: @escaping @Sendable () -> Value) {
    pod = Pod(ofLazyFrom: nil)
    (source, birth) = (nil, 0)
    provider = Provider("Lazy<\(Value.self)>", fileID: "Peapod/Lazy.swift", line: 0) { _ in build() }
  }

  /// Creates a `Lazy` whose value a pod resolves.
  init(_ declaration: Declaration, in source: Pod) {
    pod = Pod(ofLazyFrom: source)
    let deferral = Deferral.record(declaration, in: source, as: "Lazy", through: pod.state)
    (self.source, birth) = (source, TaskContext.numberOfScope(of: source))
    provider = Provider(
      declaration: SyncDeclaration<Value>(
        declaration.kind, at: declaration.place, .init("lazy \(declaration.name)", scope: .singleton)
      ) { _ in
        // Only `LazyInjected` makes a `Lazy` of such a provider, and its property may be read anywhere.
        if declaration.isMainActor, !CurrentThread.isMain {
          // On Windows, `isMain` is false on every thread.
          #if !os(Windows)
            CurrentThread.writeError(Failure.offMainActor(declaration))
          #endif
          // Decides whether the program stops, since `isMain` may be wrongly false.
          MainActor.preconditionIsolated()
        }
        return Engine.value(declaration, in: source, deferral)
      })
  }

  /// The pod that caches the value.
  ///
  /// In an override scope of the pod that resolves the value, this pod belongs to the scope.
  private var home: Pod {
    guard let source else { return pod }
    return TaskContext.podOfLazy(provider.declaration.number, madeIn: birth, of: source) ?? pod
  }

  /// The value, resolved now if it was not resolved before.
  ///
  /// - Complexity: O(1) when the value is resolved.
  public var value: Value { home.resolve(provider) }

  /// Whether the value is resolved.
  public var isResolved: Bool { home.isCached(provider) }

  /// Releases the value.
  ///
  /// The next use resolves again. If a pod caches the instance, the instance stays cached as its scope says.
  public func dispose() { home.dispose() }
}
