extension Result where Success == Void, Failure == any Error {
  /// Returns the result of an asynchronous body.
  static func catching(_ body: () async throws -> Void) async -> Self {
    do {
      return .success(try await body())
    } catch {
      return .failure(error)
    }
  }

  var isSuccess: Bool {
    if case .success = self { true } else { false }
  }
}
