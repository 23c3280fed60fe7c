import Peapod
import PlantedCore

// finding: error: hen → egg → hen is a dependency cycle. Break it with lazy or factory. [cycle]
let hen: Provider<Thing> = Provider { pod in Thing(pod.resolve(egg)) }
let egg: Provider<Thing> = Provider { pod in Thing(pod.resolve(hen)) }

// finding: error: first → second → third → first is a dependency cycle. Break it with lazy or factory. [cycle]
let first: Provider<Thing> = Provider(scope: .alwaysCreateNew) { pod in
  let label = Bool.random() ? "heads" : "tails"
  let numbers = [1, 2].map { number in
    return number + 1
  }
  return Thing(label, numbers, pod.withResolved(second) { Thing($0) })
}
let second: Provider<Thing> = Provider(scope: .weak) { pod in makeThird(pod) }
let third: Provider<Thing> = Provider { pod in Thing(pod.resolve(first)) }

func makeThird(_ pod: Pod) -> Thing { Thing(pod.resolve(third)) }

// finding: error: selfish → selfish is a dependency cycle. Break it with lazy or factory. [cycle]
let selfish: Provider<Thing> = Provider { pod in Thing(pod.withFreshInstance(of: selfish) { $0 }) }

// Uncertain.
// finding: warning: ending → endless → ending may be a dependency cycle. Break it with lazy or factory. [cycle]
let ending: Provider<Thing> = Provider { pod in
  guard Bool.random() else { return Thing() }
  return pod.resolve(endless)
}
let endless: Provider<Thing> = Provider { pod in Thing(pod.resolve(ending)) }

// finding: warning: either → or → either may be a dependency cycle. Break it with lazy or factory. [cycle]
let either: Provider<Thing> = Provider { pod in Bool.random() ? Thing() : pod.resolve(or) }
let or: Provider<Thing> = Provider { pod in Thing(pod.resolve(either)) }

// finding: warning: folder → folder may be a dependency cycle. Break it with lazy or factory. [cycle]
let folder: ProviderFamily<Provider<Thing>, Int> = Provider.family { pod, depth in
  Thing(pod.resolve(folder(depth - 1)))
}

// finding: warning: sessionFolder → sessionFolder may be a dependency cycle. Break it with lazy or factory. [cycle]
let sessionFolder: ProviderFamily<Provider<Thing>, Int> = Provider.family(scope: SessionScope()) { pod, depth in
  Thing(pod.resolve(sessionFolder(depth - 1)))
}

// Sound.
let legalHen: Provider<Thing> = Provider { pod in Thing(pod.lazy(legalEgg)) }
let legalEgg: Provider<Thing> = Provider { pod in Thing(pod.resolve(legalHen)) }
