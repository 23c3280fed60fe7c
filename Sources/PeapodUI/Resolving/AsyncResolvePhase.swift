#if canImport(SwiftUI)
  /// The phase of a view that resolves an asynchronous provider.
  nonisolated public enum AsyncResolvePhase<Value> {
    /// The value is being resolved.
    case loading
    /// The value.
    case value(Value)
    /// The last attempt failed. The closure starts a new attempt.
    case failure(any Error, retry: @MainActor () -> Void)

    init(_ result: Result<Value, any Error>?, retry: @escaping @MainActor () -> Void) {
      self =
        switch result {
        case nil: .loading
        case .success(let value): .value(value)
        case .failure(let error): .failure(error, retry: retry)
        }
    }

    /// The value in the phase `value`, otherwise `nil`.
    public var value: Value? {
      guard case .value(let value) = self else { return nil }
      return value
    }
  }
#endif
