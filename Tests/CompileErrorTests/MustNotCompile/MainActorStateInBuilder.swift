// With main-actor default isolation, a plain provider cannot build what belongs to the main actor.
// modes: 6-main-actor 6-approachable
// error: call to main actor-isolated initializer 'init(value:)' in a synchronous nonisolated context
import Peapod

final class Model {
  var value: Int
  init(value: Int) { self.value = value }
}

nonisolated let model = Provider { _ in Model(value: 1) }  // here
nonisolated let fresh = Provider(scope: .alwaysCreateNew) { _ in Model(value: 1) }  // here
nonisolated let throwing = ThrowingProvider { _ in Model(value: 1) }  // here
nonisolated let family = Provider.family { (_, _: Int) in Model(value: 1) }  // here
