/// The origin of a `Lazy`, a factory or a `PerUse` that a builder made.
final class Deferral: Sendable {
  /// The override whose builder deferred its own provider, or the family of this provider.
  ///
  /// For the provider of this override, the deferred resolve gives the original.
  private let outer: Override?
  /// The provider whose instance holds the deferred dependency.
  let holder: Declaration
  /// The kind of deferred dependency: "Lazy", "factory" or "PerUse".
  let kind: StaticString

  private init(outer: Override?, holder: Declaration, kind: StaticString) {
    self.outer = outer
    self.holder = holder
    self.kind = kind
  }

  /// The override beneath which a provider is resolved.
  func outer(for declaration: Declaration) -> Override? { declaration === holder ? outer : nil }

  /// Takes a cached value from a slot, as a resolve of the pod itself does.
  func readSlot(of declaration: Declaration, in pod: Pod) -> StoredValue? {
    guard outer(for: declaration) == nil else { return nil }
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
    let recorder = caller.recorder
    guard let holder = recorder?.declaration ?? caller.frame?.pointee.declaration.takeUnretainedValue() else {
      return nil
    }
    let isOwn = declaration === recorder?.declaration || declaration === recorder?.declaration.family
    if recorder != nil { Request(declaration, of: pod, to: .deferral).recordQuestion(through: lazyPod) }
    return Deferral(outer: isOwn ? recorder?.definition : nil, holder: holder, kind: kind)
  }
}
