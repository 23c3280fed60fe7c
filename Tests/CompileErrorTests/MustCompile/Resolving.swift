// Resolving from every isolation.
// modes: 5 6 5-complete 6-upcoming
import Peapod

final class Live: Sendable {
  func get() -> Int { 1 }
}
class Box {
  var value = 0
}
@MainActor final class Model {}

let live = Provider { _ in Live() }
let fresh = Provider(scope: .alwaysCreateNew) { _ in Box() }
let throwing = ThrowingProvider { _ in 3 }
let async = AsyncProvider { _ in Live() }
let model = MainActorProvider { _ in Model() }
let box = MainActorProvider { _ in Box() }
let pod = Pod("app", observers: [])

func anywhere() async throws {
  _ = pod.resolve(live).get()
  _ = try pod.resolve(throwing)
  _ = try await pod.resolve(async).get()
  _ = await pod.resolve(model)
  let value: Int = pod.withResolved(live) { $0.get() }
  let none: Int? = try? pod.resolve(throwing)
  _ = (value, none, Pod.shared, Pod.current, pod.name, pod.parent)
  try pod.withResolved(live) { (_: borrowing Live) in throw CancellationError() }
}
@MainActor func onMain() async throws {
  pod.resolve(box).value += pod.resolve(live).get()
  _ = try await pod.resolve(async)
  _ = pod.resolve(model)
}
actor Worker {
  let box: Box
  var live: Live?
  init(_ pod: Pod) { box = pod.resolve(fresh) }
  func work() async throws {
    live = try await pod.resolve(async)
    _ = await pod.resolve(model)
  }
}
func giveAway() {
  let box = pod.resolve(fresh)
  Task.detached { box.value += 1 }
}
func giveToMain() async {
  let box = pod.resolve(fresh)
  await show(box)
}
@MainActor func show(_ box: Box) { box.value += 1 }
func current() async throws {
  Pod.$current.withValue(pod) { _ = Pod.current.resolve(live) }
  try await Pod.$current.withValue(pod) { _ = try await Pod.current.resolve(async) }
}
