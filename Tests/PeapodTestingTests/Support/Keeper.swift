import Synchronization
import Testing

/// Keeps objects alive beyond the test that made them, as a leak would, until they are dropped again.
final class Keeper: Sendable {
  static let shared = Keeper()

  private let kept = Mutex<[String: [any Sendable]]>([:])

  func keep(_ object: any Sendable) {
    kept.withLock { $0[Test.current?.name ?? "", default: []].append(object) }
  }

  /// Lets go of what the running test kept.
  func drop() {
    kept.withLock { $0[Test.current?.name ?? ""] = nil }
  }
}

extension Trait where Self == SurroundingTrait {
  /// Drops afterwards what the test gave to the shared keeper.
  static var keepsObjects: Self {
    .after { Keeper.shared.drop() }
  }
}
