/// What the deferred dependencies of a root's instances lead to, as bits like those of the masks.
///
/// The answers to deferred dependencies change, so the mask of an instance cannot contain them. The bits here are those of all questions of
/// the root and of all their present answers. A child that changes none of them shares every instance as far as deferred dependencies count.
struct DeferredMask {
  /// All bits, if the answers are not known: a question is asked of another pod or of an inner pod.
  private(set) var bits: UInt64
  /// The providers and the families that are deferred.
  private let targets: Set<ObjectIdentifier>

  private static let unknown = DeferredMask(bits: .max, targets: [])

  private func covers(_ question: Question) -> Bool {
    question.isOfOwnPod && targets.contains(ObjectIdentifier(question.declaration))
  }

  private func isTarget(_ instance: Instance) -> Bool {
    DeferredMask.isTarget(instance, of: targets)
  }

  private static func isTarget(_ instance: Instance, of targets: Set<ObjectIdentifier>) -> Bool {
    targets.contains(ObjectIdentifier(instance.declaration))
      || instance.declaration.family.map { targets.contains(ObjectIdentifier($0)) } ?? false
  }

  /// Returns the mask after a new instance or record; `nil` if it has to be computed anew.
  ///
  /// `isKnown`: whether the questions of an instance are known already. `mask`: returns the mask of an instance.
  func adding(_ new: Instance, isKnown: (Instance) -> Bool, mask: (Instance) -> UInt64) -> DeferredMask? {
    if bits == .max { return self }
    if new.traits.contains(.isDeferred) {
      var walk = InstanceWalk(from: new)
      while let current = walk.next() {
        for dependency in current.dependencies {
          switch dependency {
          case .instance(let other): if other.traits.contains(.isDeferred), !isKnown(other) { walk.add(other) }
          case .deferred(let question): if !covers(question) { return nil }
          case .crossPod: break
          }
        }
      }
    }
    guard isTarget(new) else { return self }
    return new.traits.contains(.isCrossPod) ? .unknown : DeferredMask(bits: bits | mask(new), targets: targets)
  }

  /// The mask of all questions that some instances hold, directly or not, which are all finished instances of a root.
  static func of(_ all: [Instance], _ retained: RetainedObjects, mask: (Instance) -> UInt64) -> DeferredMask {
    var (bits, targets, answers): (UInt64, Set<ObjectIdentifier>, [Instance]) = (0, [], [])
    var walk = InstanceWalk(from: all)
    while let current = walk.next() {
      for dependency in current.dependencies {
        switch dependency {
        case .instance(let other): if other.traits.contains(.isDeferred) { walk.add(other) }
        case .deferred(let question):
          guard question.isOfOwnPod else { return unknown }
          targets.insert(ObjectIdentifier(question.declaration))
          bits |= question.declaration.changeNumber.bit | question.scope.identity.changeNumber.bit
          answers += question.cachedLazyDependencies(retained)
        case .crossPod: break
        }
      }
    }
    for answer in answers + all.filter({ isTarget($0, of: targets) }) {
      if answer.traits.contains(.isCrossPod) { return unknown }
      bits |= mask(answer)
    }
    return DeferredMask(bits: bits & ~ChangeBits.deferred, targets: targets)
  }
}
