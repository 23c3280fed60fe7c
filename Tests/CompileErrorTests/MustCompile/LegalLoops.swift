// A loop through a handle is legal where one declaration of it is annotated.
// modes: 5 6 5-complete 6-upcoming 5-main-actor 6-main-actor 6-approachable
import Peapod

nonisolated final class Parent: Sendable {
  init(_ child: Lazy<Child>) {}
  init(_ child: @escaping @Sendable () -> Child) {}
  init(trying child: @escaping @Sendable () throws -> Child) {}
  init(awaiting child: @escaping @Sendable () async throws -> Child) {}
}
nonisolated final class Child: Sendable {
  init(_ parent: Parent) {}
}
@MainActor final class ParentModel {
  init(_ child: @escaping @MainActor () -> ChildModel) {}
}
@MainActor final class ChildModel {
  init(_ parent: ParentModel) {}
}

nonisolated let parent: Provider<Parent> = Provider { pod in Parent(pod.lazy(child)) }
nonisolated let child = Provider { pod in Child(pod.resolve(parent)) }

nonisolated let maker: Provider<Parent> = Provider("maker") { pod in
  let make = pod.factory(made)
  return Parent(make)
}
nonisolated let made = Provider(scope: .alwaysCreateNew) { pod in
  let parent = pod.resolve(maker)
  return Child(parent)
}

nonisolated let throwingParent: ThrowingProvider<Parent> = ThrowingProvider { pod in
  Parent(trying: pod.factory(throwingChild))
}
nonisolated let throwingChild = ThrowingProvider { pod in Child(try pod.resolve(throwingParent)) }

nonisolated let asyncParent = AsyncProvider { pod in Parent(awaiting: pod.factory(asyncChild)) }
nonisolated let asyncChild: AsyncProvider<Child> = AsyncProvider { pod in Child(try await pod.resolve(asyncParent)) }

nonisolated let parentModel: MainActorProvider<ParentModel> = MainActorProvider { pod in
  ParentModel(pod.factory(childModel))
}
nonisolated let childModel = MainActorProvider { pod in ChildModel(pod.resolve(parentModel)) }

nonisolated let one: Provider<Parent> = Provider { pod in
  Parent {
    Child(pod.resolve(three))
  }
}
nonisolated let two = Provider { pod in Child(pod.resolve(one)) }
nonisolated let three = Provider { pod in
  print(pod.resolve(two))
  return pod.resolve(one)
}

nonisolated let parentOf: ProviderFamily<Provider<Parent>, Int> = Provider.family { (pod, id: Int) in
  let make = pod.factory(childOf)
  return Parent { make(id) }
}
nonisolated let childOf = Provider.family { (pod, id: Int) in Child(pod.resolve(parentOf(id))) }
