/// A property that is resolved when its owner is created.
///
/// ```swift
/// final class Service { @Injected(apiProvider) var api }
/// ```
/// Without a pod it is resolved in the pod whose builder is creating the owner, else in ``Pod/current``. Initialisers that
/// take what they need are easier to read and to test; this is for types that cannot have one.
@propertyWrapper
public struct Injected<Value: Sendable>: Sendable {
  /// The instance.
  public let wrappedValue: Value

  /// Resolves a provider.
  ///
  /// - Parameters:
  ///   - provider: What to resolve.
  ///   - pod: Where to resolve it.
  public init(_ provider: Provider<Value>, from pod: Pod? = nil) {
    wrappedValue = (pod ?? .building ?? .current).resolve(provider)
  }

  /// Resolves a main-actor provider.
  ///
  /// - Parameters:
  ///   - provider: What to resolve.
  ///   - pod: Where to resolve it.
  @MainActor
  public init(_ provider: MainActorProvider<Value>, from pod: Pod? = nil) {
    wrappedValue = (pod ?? .building ?? .current).resolve(provider)
  }
}

/// A property that is resolved when it is first read, in the pod that was at hand when its owner was created.
///
/// ```swift
/// final class Service { @LazyInjected(apiProvider) var api }
/// ```
/// Created by a builder it is a deferred dependency: never part of a construction cycle.
@propertyWrapper
public struct LazyInjected<Value: Sendable>: Sendable {
  private let lazy: Lazy<Value>

  /// The instance, resolved at the first use and kept from then on.
  public var wrappedValue: Value { lazy.value }

  /// Prepares to resolve a provider.
  ///
  /// - Parameters:
  ///   - provider: What to resolve.
  ///   - pod: Where to resolve it.
  public init(_ provider: Provider<Value>, from pod: Pod? = nil) {
    lazy = (pod ?? .building ?? .current).lazy(provider)
  }

  /// Prepares to resolve a main-actor provider.
  ///
  /// - Parameters:
  ///   - provider: What to resolve.
  ///   - pod: Where to resolve it.
  @MainActor
  public init(_ provider: MainActorProvider<Value>, from pod: Pod? = nil) {
    let pod = pod ?? .building ?? .current
    lazy = Lazy(provider.declaration, in: pod, outer: Engine.promise(provider.declaration, in: pod))
  }
}

extension Pod {
  /// The pod that the innermost running builder was given.
  static var building: Pod? {
    ThreadContext.frame?.pointee.pod ?? TaskContext.runningBuild?.pod
  }
}
