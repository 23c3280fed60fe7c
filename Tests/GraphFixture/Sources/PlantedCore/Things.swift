import Peapod

public final class Thing: Sendable {
  public init(_ parts: Any...) {}
}

public let plainThing = Provider { _ in Thing() }
public let sessionThing = Provider("session thing", scope: SessionScope()) { _ in Thing() }
public let screenThing = Provider(scope: .screen) { _ in Thing() }
public let requestThing = Provider(scope: RequestScope()) { _ in Thing() }
public let weakThing = Provider(scope: .weak) { _ in Thing() }
public let windowThing = Provider(scope: AppScope.window) { _ in Thing() }
public let documentThing = Provider(scope: AppScope.document) { _ in Thing() }
public let leftThing = Provider(scope: Kind.left) { _ in Thing() }
public let dynamicThing = Provider(scope: DynamicScope([])) { _ in Thing() }

/// Resolves a scoped instance for whatever calls it.
public func makeThing(in pod: Pod) -> Thing { Thing(pod.resolve(screenThing)) }
