// Providers of protocol types that build each other.
// modes: 5 6 5-main-actor 6-main-actor
// error: circular reference
// note: through reference here
// also: failed to produce diagnostic for expression
import Peapod

nonisolated protocol Chicken: Sendable {}
nonisolated protocol Egg: Sendable {}
nonisolated struct Hen: Chicken { var egg: any Egg }
nonisolated struct BrownEgg: Egg { var chicken: any Chicken }

let chicken = Provider<any Chicken> { pod in Hen(egg: pod.resolve(egg)) }  // here
let egg = Provider<any Egg> { pod in BrownEgg(chicken: pod.resolve(chicken)) }  // here

let fallibleChicken = ThrowingProvider<any Chicken> { pod in Hen(egg: try pod.resolve(fallibleEgg)) }  // here
let fallibleEgg = ThrowingProvider<any Egg> { pod in  // here
  let chicken = try pod.resolve(fallibleChicken)
  return BrownEgg(chicken: chicken)
}
