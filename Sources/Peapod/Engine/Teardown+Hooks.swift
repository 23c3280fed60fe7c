/// Calling the hooks of instances whose turn has come, without the engine's lock.
extension Teardown {
  /// A hook to be called, with all that is needed of its instance.
  struct Call {
    fileprivate let entry: Entry
    fileprivate let value: StoredValue
    fileprivate let hook: Declaration.Hook
    fileprivate let isMainActor: Bool
    /// Whether it comes after the end of another hook, and not in the order of a teardown.
    fileprivate let isLate: Bool

    /// `nil` if there is nothing to call.
    init?(_ entry: Entry, isLate: Bool) {
      guard entry.hasHook, let value = entry.value else { return nil }
      self.entry = entry
      self.value = value
      self.isLate = isLate
      (hook, isMainActor) = entry.withDeclaration { ($0.hook, $0.isMainActor) }
    }
  }

  /// Calls the hook of an instance and lets the instance go; returns those whose turn comes with that.
  static func make(_ call: Call) -> [Entry] {
    let (entry, value) = (call.entry, call.value)
    Delay.step()
    switch call.hook {
    case .none:
      return finish(entry)
    case .sync(let hook):
      if !call.isMainActor || ThreadContext.isMain {
        hook(value)
        Delay.step()
        return finish(entry)
      }
      start(isLate: call.isLate) { running in
        await MainActor.run { hook(value) }
        running.end()
        finishLate(entry)
      }
    case .async(let hook):
      start(isLate: call.isLate) { running in
        await hook(value)
        running.end()
        finishLate(entry)
      }
    }
    return []
  }

  /// A hook that was started has ended.
  private static func finishLate(_ entry: Entry) {
    Engine.locked { aftermath in
      let ready = finish(entry, &aftermath)
      if !ready.isEmpty { aftermath.work.dying.append(contentsOf: ready) }
    }
  }

  /// Starts what cannot be done at once; it is no part of any build that is running here.
  ///
  /// Tasks that are merely made may begin in any order. So where the runtime can, each runs here until it first suspends;
  /// but not one inside the end of another, which would nest them without limit.
  private static func start(isLate: Bool, _ operation: @escaping @Sendable (RunningHook) async -> Void) {
    let hook = RunningHook()
    TaskContext.$build.withValue(nil) {
      TaskContext.$hook.withValue(hook) {
        if !isLate, #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
          Task.immediate { await operation(hook) }
        } else {
          Task { await operation(hook) }
        }
      }
    }
  }
}
