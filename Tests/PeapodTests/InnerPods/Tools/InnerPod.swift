import Peapod

/// The ways in which a synchronous builder makes an inner pod.
enum InnerPod: String, CaseIterable, Codable, Sendable {
  case withChild
  /// A child that is released when the operation is done.
  case makeChild
  /// A child that outlives the build.
  case keptChild
  /// A child of a child that changes nothing.
  case grandchild
  case withOverrides

  static let children: [InnerPod] = [.withChild, .makeChild, .keptChild, .grandchild]

  /// Runs an operation with an inner pod of a pod.
  func use<Result>(
    of pod: Pod, owning: [any ProviderScope] = [], keeper: Log<Pod>, configure: (Pod) -> Void = { _ in },
    operation: (Pod) -> Result
  ) -> Result {
    switch self {
    case .withChild: return pod.withChild("inner", owning: owning, configure: configure, operation: operation)
    case .makeChild:
      let child = pod.makeChild("inner", owning: owning, configure: configure)
      return operation(child)
    case .keptChild:
      let child = pod.makeChild("inner", owning: owning, configure: configure)
      keeper.append(child)
      return operation(child)
    case .grandchild:
      return pod.withChild("middle") { middle in
        middle.withChild("inner", owning: owning, configure: configure, operation: operation)
      }
    case .withOverrides: return pod.withOverrides(configure) { operation(pod) }
    }
  }

  /// Runs an async operation with an inner pod of a pod.
  nonisolated(nonsending) func use<Result: Sendable>(
    of pod: Pod, owning: [any ProviderScope] = [], keeper: Log<Pod>, configure: (Pod) -> Void = { _ in },
    operation: (Pod) async throws -> Result
  ) async throws -> Result {
    switch self {
    case .withChild: return try await pod.withChild("inner", owning: owning, configure: configure, operation: operation)
    case .makeChild:
      let child = pod.makeChild("inner", owning: owning, configure: configure)
      return try await operation(child)
    case .keptChild:
      let child = pod.makeChild("inner", owning: owning, configure: configure)
      keeper.append(child)
      return try await operation(child)
    case .grandchild:
      return try await pod.withChild("middle") { middle in
        try await middle.withChild("inner", owning: owning, configure: configure, operation: operation)
      }
    case .withOverrides: return try await pod.withOverrides(configure) { try await operation(pod) }
    }
  }
}
