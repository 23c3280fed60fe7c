#if canImport(SwiftUI)
  /// What there is so far of an asynchronous provider's value.
  nonisolated public enum AsyncResolvePhase<Value> {
    /// Nothing yet: it is being resolved.
    case loading
    /// The value.
    case value(Value)
    /// The error of the last attempt, and a way to make a new one.
    case failure(any Error, retry: @MainActor () -> Void)

    init(_ result: Result<Value, any Error>?, retry: @escaping @MainActor () -> Void) {
      self =
        switch result {
        case nil: .loading
        case .success(let value): .value(value)
        case .failure(let error): .failure(error, retry: retry)
        }
    }

    /// The value, if it is there.
    public var value: Value? {
      guard case .value(let value) = self else { return nil }
      return value
    }
  }
#endif
