import Peapod

package final class Thing: Sendable {
  package init(_ parts: Any...) {}
}

package let plainThing = Provider { _ in Thing() }
package let sessionThing = Provider("session thing", scope: SessionScope()) { _ in Thing() }
package let screenThing = Provider(scope: .screen) { _ in Thing() }
package let requestThing = Provider(scope: RequestScope()) { _ in Thing() }
package let weakThing = Provider(scope: .weak) { _ in Thing() }
package let windowThing = Provider(scope: AppScope.window) { _ in Thing() }
package let documentThing = Provider(scope: AppScope.document) { _ in Thing() }
package let leftThing = Provider(scope: Kind.left) { _ in Thing() }
package let dynamicThing = Provider(scope: DynamicScope([])) { _ in Thing() }

/// Resolves a scoped instance for whatever calls it.
package func makeThing(in pod: Pod) -> Thing { Thing(pod.resolve(screenThing)) }
