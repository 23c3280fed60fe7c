/// The origin of a `Lazy`, a factory or a `PerUse` that a builder made.
final class Deferral: Sendable {
  /// The override whose builder deferred its own provider: the deferred resolve gives the original.
  let outer: Override?
  /// The name and the place of the provider whose instance holds the deferred dependency.
  let holder: String
  /// The kind of deferred dependency: "Lazy", "factory" or "PerUse".
  let kind: StaticString

  private init(outer: Override?, holder: String, kind: StaticString) {
    self.outer = outer
    self.holder = holder
    self.kind = kind
  }

  /// Takes a cached value from a slot, as a resolve of the pod itself does.
  func readSlot(of declaration: Declaration, in pod: Pod) -> StoredValue? {
    guard outer == nil else { return nil }
    let found = pod.readSlot(of: declaration)
    return found.isNothing ? nil : found.value
  }

  /// Records a deferred dependency of the build that runs here; returns `nil` where no builder runs.
  ///
  /// `lazyPod`: the pod in which a `Lazy` caches its value.
  static func record(
    _ declaration: Declaration, in pod: Pod, as kind: StaticString, through lazyPod: PodState? = nil
  ) -> Deferral? {
    let caller = Caller(resolvingIn: pod)
    guard caller.frame != nil || caller.recorder != nil else { return nil }
    let outer = caller.outer(for: declaration)
    if caller.recorder != nil { Request(declaration, of: pod, to: .deferral).recordQuestion(through: lazyPod) }
    let holder = caller.recorder?.declaration ?? caller.frame?.pointee.declaration.takeUnretainedValue()
    return Deferral(outer: outer, holder: holder?.description ?? "", kind: kind)
  }
}
