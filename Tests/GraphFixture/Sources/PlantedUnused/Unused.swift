import Peapod
import PlantedCore

// unused: warning: neverNamed [singleton] is never resolved: no code that runs names it. [unused]
let neverNamed = Provider { pod in Thing(pod.resolve(onlyByUnused)) }

// unused: warning: onlyByUnused [singleton] is never resolved: no code that runs names it. [unused]
let onlyByUnused = Provider { _ in Thing() }

// unused: warning: onlyOverridden [singleton] is never resolved: it is only overridden. [unused]
let onlyOverridden = Provider { _ in Thing() }

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
// unused: warning: onlyPublic [singleton] is never resolved: no code that runs names it. [unused]
public let onlyPublic = Provider { _ in 1 }

/// Resolves the root of the program.
package func run(_ pod: Pod) {
  pod.overrideProvider(onlyOverridden, withValue: Thing())
  _ = pod.resolve(root)
  #if os(Plan9)
    _ = pod.resolve(onlyElsewhere)
  #endif
}

let root = Provider { pod in Thing(pod.resolve(usedByRoot)) }
let usedByRoot = Provider {
  _ in
  Thing()
} onDispose: { _ in
  _ = Pod.shared.isCached(onlyElsewhere)
}
let onlyElsewhere = Provider { _ in Thing() }
