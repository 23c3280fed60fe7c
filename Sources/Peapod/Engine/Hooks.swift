extension Declaration.Hook {
  /// A hook of a synchronous provider.
  static func sync<Value>(_ body: (@Sendable (Value) -> Void)?) -> Self {
    guard let body else { return .none }
    return .sync { body($0.load(as: Value.self, isReference: Value.self is AnyObject.Type)) }
  }

  /// A hook of an asynchronous provider.
  static func async<Value: Sendable>(_ body: (@Sendable (Value) async -> Void)?) -> Self {
    guard let body else { return .none }
    return .async { await body($0.load(as: Value.self, isReference: Value.self is AnyObject.Type)) }
  }

  /// A hook of a main-actor provider.
  static func mainActor<Value>(_ body: (@MainActor (Value) -> Void)?) -> Self {
    guard let body else { return .none }
    // Safe: the engine calls hooks of main-actor providers on the main thread alone.
    let plain = unsafeBitCast(body, to: ((Value) -> Void).self)
    nonisolated(unsafe) let hook = plain
    return .sync { hook($0.load(as: Value.self, isReference: Value.self is AnyObject.Type)) }
  }
}

/// A main-actor builder as the engine keeps it.
func onMainActor<Value>(_ build: @escaping @MainActor (Pod) -> Value) -> (Pod) -> Value {
  // Safe: the engine calls builders of main-actor providers only for `resolve` and the like, which are on the main actor.
  unsafeBitCast(build, to: ((Pod) -> Value).self)
}
