// What a main-actor provider keeps stays on the main actor unless it is Sendable.
// modes: 6
// error: non-Sendable 'Box'-typed result can not be returned from main actor-isolated instance method 'resolve'
import Peapod

final class Box {
  var value = 0
}

let box = MainActorProvider { _ in Box() }

func take(_ pod: Pod) async -> Int {
  let taken = await pod.resolve(box)  // here
  return taken.value
}
