/// One iteration of `updates(of:)`: resolves the provider again when the answer of the pod may have changed.
///
/// The iteration resolves nothing while the last instance is still the answer. A slow reader receives only the newest instance.
final class Follower<Value: Sendable>: @unchecked Sendable {
  // Safe: only an iterator, which is not `Sendable`, has the follower. So `next` and `current` change it one after the
  // other.

  private let declaration: Declaration
  /// A pod that does not own its state.
  private let pod: Pod
  private let watcher = Watcher()
  /// The pods in which the watcher is listed: the followed pod and its ancestors.
  private var watched: [PodState] = []
  /// The instance that was returned last, and its object: the value of a class, or else the override of a constant.
  private var lastInstance: WeakReference?
  private var lastObject: WeakReference?
  private var isOver = false

  init(_ declaration: Declaration, in pod: Pod) {
    self.declaration = declaration
    self.pod = pod
    watch()
  }

  deinit {
    for state in watched { state.remove(watcher) }
  }

  /// Returns the next new value, or `nil` when the pod has ended or the task is canceled.
  func next(isolation: isolated (any Actor)?) async -> Value? {
    while !isOver, !Task.isCancelled {
      let isMoved = watch()
      guard watcher.takeChange() || isMoved else {
        await watcher.wait()
        continue
      }
      isOver = pod.state.isEnded
      guard !isOver else { break }
      if let value = declaration.isMainActor ? await newValueOnMain() : newValue() { return value }
    }
    return nil
  }

  /// Returns the current value, new or not.
  func current() -> Value {
    _ = watcher.takeChange()
    watch()
    return resolve().value
  }

  /// Lists the watcher in the followed pod and its ancestors; returns whether these are other pods than before.
  ///
  /// The ancestors of a pod may change, a builder's pod may be settled in another pod, and the task may enter or leave an override scope.
  @discardableResult
  private func watch() -> Bool {
    let states = Array(pod.actingState.selfAndAncestors)
    guard !states.elementsEqual(watched, by: ===) else { return false }
    for state in watched { state.remove(watcher) }
    for state in states { state.add(watcher) }
    watched = states
    return true
  }

  @MainActor
  private func newValueOnMain() -> Value? { newValue() }

  /// Returns the current value, or `nil` if it was returned last.
  private func newValue() -> Value? {
    let last = lastInstance?.object as? Instance
    if let last, Request(declaration, of: pod, to: .look).isAnswered(by: last) { return nil }
    let (value, isNew) = resolve()
    return isNew ? value : nil
  }

  private func resolve() -> (value: Value, isNew: Bool) {
    let (value, instance): (Value, Instance) = Engine.valueAndInstance(declaration, in: pod)
    let object = classInstance(in: value) ?? (instance.isConstant ? instance.definition?.original : nil)
    let isNew = lastInstance?.object !== instance && (object == nil || lastObject?.object !== object)
    lastInstance = WeakReference(instance)
    lastObject = object.map { WeakReference($0) }
    return (value, isNew)
  }
}

extension Request {
  /// Whether a former instance is still the answer of the pod.
  ///
  /// For a transient or graph provider: whether a new build would use the same builder and dependencies.
  fileprivate func isAnswered(by former: Instance) -> Bool {
    switch use {
    case .cached:
      return cachedInstance() === former
    case .graph, .transient, .fresh: return view.isStillRight(former, after: nil) && former.hasCurrentDependencies
    }
  }
}

extension Instance {
  /// Whether all dependencies of this instance record that pods cached are still cached.
  ///
  /// No pod cached an instance without a build count: a failed attempt, an instance for one use, or one of an inner pod. A cleared constant
  /// is the answer again.
  fileprivate var hasCurrentDependencies: Bool {
    var walk = Walk(from: self)
    while let instance = walk.next() {
      if instance === self || instance.scopeKind == .alwaysCreateNew || instance.scopeKind == .graph
        || instance.buildCount == 0
      {
        for dependency in instance.dependencies.compactMap(\.instance) { walk.add(dependency) }
      } else if !instance.isConstant,
        !instance.home.withLock({ _ in instance.state == .cached && instance.hiddenCount == 0 })
      {
        return false
      }
    }
    return true
  }
}
