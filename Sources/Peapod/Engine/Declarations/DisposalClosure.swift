/// An `onDispose` closure, without the type of its value.
enum DisposalClosure: Sendable {
  case none
  case sync(@Sendable (StoredValue) -> Void)
  case async(@Sendable (StoredValue) async -> Void)

  var exists: Bool {
    if case .none = self { false } else { true }
  }
}

extension DisposalClosure {
  static func sync<Value>(_ body: (@Sendable (Value) -> Void)?) -> Self {
    guard let body else { return .none }
    return .sync { body($0.load(as: Value.self, isReference: Value.self is AnyObject.Type)) }
  }

  static func async<Value: Sendable>(_ body: (@Sendable (Value) async -> Void)?) -> Self {
    guard let body else { return .none }
    return .async { await body($0.load(as: Value.self, isReference: Value.self is AnyObject.Type)) }
  }

  static func mainActor<Value>(_ body: (@MainActor (Value) -> Void)?) -> Self {
    guard let body else { return .none }
    // Safe: the engine calls disposal closures of main-actor providers on the main actor alone.
    let plain = unsafeBitCast(body, to: ((Value) -> Void).self)
    nonisolated(unsafe) let closure = plain
    return .sync { closure($0.load(as: Value.self, isReference: Value.self is AnyObject.Type)) }
  }
}

/// A main-actor builder as the engine stores it.
func onMainActor<Value>(_ build: @escaping @MainActor (Pod) -> Value) -> (Pod) -> Value {
  // Safe: the engine calls builders of main-actor providers only for `resolve` and similar calls, which run on the main actor, and for a
  // `Lazy` of `LazyInjected`, which stops the program elsewhere.
  unsafeBitCast(build, to: ((Pod) -> Value).self)
}
