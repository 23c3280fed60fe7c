/// One iteration of `updates(of:)`: resolves the provider again when the answer of the pod may have changed.
///
/// A look resolves nothing while the instance of before is still the answer. So a slow reader gets the newest instance alone.
final class Follower<Value: Sendable>: @unchecked Sendable {
  // Safe: an iterator, which is not `Sendable`, has it; `next` and `current` change it in turn.

  private let declaration: Declaration
  /// A pod that does not own its state.
  private let pod: Pod
  private let watcher = Watcher()
  /// The pods in which the watcher is listed: the followed pod and its ancestors.
  private var watched: [PodState] = []
  /// The instance that was given last, and the object that it contains.
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

  /// Returns the next new value; `nil` at the end of the pod, or if the task is canceled.
  func next(isolation: isolated (any Actor)?) async -> Value? {
    while !isOver, !Task.isCancelled {
      guard watcher.takeChange() else {
        await watcher.wait()
        continue
      }
      watch()
      isOver = pod.state.isEnded
      guard !isOver else { break }
      if let value = declaration.isMainActor ? await newValueOnMain() : newValue() { return value }
    }
    return nil
  }

  /// Returns the value of now, new or not.
  func current() -> Value {
    _ = watcher.takeChange()
    watch()
    return resolve().value
  }

  /// Lists the watcher in the followed pod and its ancestors.
  ///
  /// A pod may get another ancestor, and a builder's pod another place.
  private func watch() {
    var states: [PodState] = []
    var next: PodState? = pod.actingState
    while let state = next {
      states.append(state)
      next = state.parent
    }
    guard !states.elementsEqual(watched, by: ===) else { return }
    for state in watched { state.remove(watcher) }
    for state in states { state.add(watcher) }
    watched = states
  }

  @MainActor
  private func newValueOnMain() -> Value? { newValue() }

  /// Returns the value of now, unless it was given last.
  private func newValue() -> Value? {
    let last = lastInstance?.object as? Instance
    if let last, Request(declaration, of: pod, by: .nobody).isAnswered(by: last) { return nil }
    let (value, isNew) = resolve()
    return isNew ? value : nil
  }

  private func resolve() -> (value: Value, isNew: Bool) {
    let (value, instance): (Value, Instance) = Engine.valueAndInstance(declaration, in: pod)
    let object = classInstance(in: value)
    let isNew = lastInstance?.object !== instance && (object == nil || lastObject?.object !== object)
    lastInstance = WeakReference(instance)
    lastObject = object.map { WeakReference($0) }
    return (value, isNew)
  }
}

extension Request {
  /// Whether an instance that the pod gave before is still its answer, or, for a transient, says the same as a new one would.
  fileprivate func isAnswered(by former: Instance) -> Bool {
    switch use {
    case .cached:
      guard case .ready(let instance) = answer(into: nil, mayBuild: false) else { return false }
      return instance === former
    case .graph, .transient, .fresh: return view.isStillRight(former, after: nil) && former.hasCurrentDependencies
    }
  }
}

extension Instance {
  /// Whether all dependencies of this record are still cached, as far as pods cache them.
  fileprivate var hasCurrentDependencies: Bool {
    var seen: Set<ObjectIdentifier> = []
    var rest = dependencies.compactMap(\.instance)
    while let instance = rest.popLast() {
      guard seen.insert(ObjectIdentifier(instance)).inserted else { continue }
      if instance.scopeKind == .alwaysCreateNew || instance.scopeKind == .graph {
        rest += instance.dependencies.compactMap(\.instance)
      } else if !instance.home.lock.withLock({ instance.state == .cached && instance.hiddenCount == 0 }) {
        return false
      }
    }
    return true
  }
}
