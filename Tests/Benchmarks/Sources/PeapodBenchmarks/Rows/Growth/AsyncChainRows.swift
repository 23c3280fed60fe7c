import Peapod

extension Row {
  /// How the time to build a chain of async providers, each of which waits for the next, depends on its length.
  static var asyncChains: [Row] {
    [
      Row(
        "first resolve of a chain of async providers", "per provider of 4,000", against: "per provider of 400",
        limit: 3, sizes: (4_000, 400), subject: buildChain(4_000), baseline: buildChain(400))
    ]
  }

  private static func buildChain(_ size: Int) -> Workload {
    var top = AsyncProvider { _ in Service() }
    for _ in 1..<size {
      let below = top
      top = AsyncProvider { pod in try await pod.resolve(below) }
    }
    let last = top
    return .nonisolated { count in
      for _ in 0..<count { consume(try await Pod().resolve(last)) }
    }
  }
}
