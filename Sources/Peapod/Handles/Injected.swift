/// A property that is resolved when its owner is created.
///
/// ```swift
/// final class Service { @Injected(apiProvider) var api }
/// ```
/// Without a pod, the property resolves in the pod whose builder creates the owner, or else in ``Pod/current``. Initializers that take their
/// dependencies are easier to read and to test. The property wrapper is for types that cannot have such an initializer.
@propertyWrapper
public struct Injected<Value: Sendable>: Sendable {
  /// The instance.
  public let wrappedValue: Value

  /// Resolves a provider.
  ///
  /// - Parameters:
  ///   - provider: The provider to resolve.
  ///   - pod: The pod to resolve in.
  public init(_ provider: Provider<Value>, from pod: Pod? = nil) {
    wrappedValue = (pod ?? .building ?? .current).resolve(provider)
  }

  /// Resolves a main-actor provider.
  ///
  /// - Parameters:
  ///   - provider: The provider to resolve.
  ///   - pod: The pod to resolve in.
  @MainActor
  public init(_ provider: MainActorProvider<Value>, from pod: Pod? = nil) {
    wrappedValue = (pod ?? .building ?? .current).resolve(provider)
  }
}

/// A property that is resolved when it is first read, in the pod of the moment when its owner was created.
///
/// ```swift
/// final class Service { @LazyInjected(apiProvider) var api }
/// ```
/// Created by a builder, it is a deferred dependency: never a dependency cycle.
@propertyWrapper
public struct LazyInjected<Value: Sendable>: Sendable {
  private let lazy: Lazy<Value>

  /// The instance, resolved at the first use and cached from then on.
  public var wrappedValue: Value { lazy.value }

  /// Prepares to resolve a provider.
  ///
  /// - Parameters:
  ///   - provider: The provider to resolve.
  ///   - pod: The pod to resolve in.
  public init(_ provider: Provider<Value>, from pod: Pod? = nil) {
    lazy = (pod ?? .building ?? .current).lazy(provider)
  }

  /// Prepares to resolve a main-actor provider.
  ///
  /// - Parameters:
  ///   - provider: The provider to resolve.
  ///   - pod: The pod to resolve in.
  @MainActor
  public init(_ provider: MainActorProvider<Value>, from pod: Pod? = nil) {
    let pod = pod ?? .building ?? .current
    lazy = Lazy(provider.declaration, in: pod)
  }
}

extension Pod {
  /// The pod that the innermost running builder received.
  static var building: Pod? {
    CurrentThread.frame?.pointee.pod.takeUnretainedValue() ?? TaskContext.runningBuild?.pod
  }
}
