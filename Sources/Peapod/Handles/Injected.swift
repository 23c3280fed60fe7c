/// A property that is resolved when its owner is created.
///
/// ```swift
/// final class Service { @Injected(apiProvider) var api }
/// ```
/// If no pod is given, the property resolves in the pod whose builder creates the owner, or else in ``Pod/current``. Prefer
/// initializers that take their dependencies. The property wrapper is for types that cannot have such an initializer.
@propertyWrapper
public struct Injected<Value: Sendable>: Sendable {
  /// The instance.
  public let wrappedValue: Value

  /// Creates a property and resolves its provider.
  ///
  /// - Parameters:
  ///   - provider: The provider to resolve.
  ///   - pod: The pod to resolve in. The default is the pod that is building, or else ``Pod/current``.
  public init(_ provider: Provider<Value>, from pod: Pod? = nil) {
    wrappedValue = (pod ?? .building ?? .current).resolve(provider)
  }

  /// Creates a property and resolves its main-actor provider.
  ///
  /// - Parameters:
  ///   - provider: The provider to resolve.
  ///   - pod: The pod to resolve in. The default is the pod that is building, or else ``Pod/current``.
  @MainActor
  public init(_ provider: MainActorProvider<Value>, from pod: Pod? = nil) {
    wrappedValue = (pod ?? .building ?? .current).resolve(provider)
  }
}

/// A property that is resolved when it is first read.
///
/// ```swift
/// final class Service { @LazyInjected(apiProvider) var api }
/// ```
/// If no pod is given, the property resolves in the pod whose builder creates the owner, or else in the ``Pod/current`` of the
/// creation. In an owner that a builder creates, the property is a deferred dependency, which forms no dependency cycle.
///
/// The property stores its value after the first read. If the value retains the owner, the two form a retain cycle. For a reference
/// back, store `pod.factory(provider)` or a `weak` property instead.
@propertyWrapper
public struct LazyInjected<Value: Sendable>: Sendable {
  private let lazy: Lazy<Value>

  /// The instance, resolved at the first use and cached from then on.
  public var wrappedValue: Value { lazy.value }

  /// Creates a property that resolves its provider at the first use.
  ///
  /// - Parameters:
  ///   - provider: The provider to resolve.
  ///   - pod: The pod to resolve in. The default is the pod that is building, or else ``Pod/current``.
  public init(_ provider: Provider<Value>, from pod: Pod? = nil) {
    lazy = (pod ?? .building ?? .current).lazy(provider)
  }

  /// Creates a property that resolves its main-actor provider at the first use.
  ///
  /// - Parameters:
  ///   - provider: The provider to resolve.
  ///   - pod: The pod to resolve in. The default is the pod that is building, or else ``Pod/current``.
  @MainActor
  public init(_ provider: MainActorProvider<Value>, from pod: Pod? = nil) {
    let pod = pod ?? .building ?? .current
    lazy = Lazy(provider.declaration, in: pod)
  }
}

extension Pod {
  /// The pod that the innermost running builder received.
  static var building: Pod? {
    var frame = CurrentThread.frame
    while let current = frame {
      // An observer or a disposal closure belongs to no builder.
      guard let pod = current.pointee.pod?.takeUnretainedValue() else { return nil }
      // The user does not know the pod of a `Lazy`.
      if !pod.state.isCompact { return pod }
      frame = current.pointee.parent
    }
    return TaskContext.runningBuild?.podOfTasks
  }
}
