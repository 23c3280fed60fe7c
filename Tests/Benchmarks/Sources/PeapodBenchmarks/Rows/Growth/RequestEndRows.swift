import Foundation
import Peapod
import Synchronization

/// The number of disposal closures that have begun.
private final class WaitingClosures: Sendable {
  private let count = Atomic<Int>(0)
  func add() -> Int { count.wrappingAdd(1, ordering: .relaxed).newValue }
}

extension Row {
  /// How the time to end a request, whose disposal closure waits, depends on the number of requests that end at the same moment.
  ///
  /// A cost of O(n) for each request would be nearly 10 times.
  static var requestEnds: [Row] {
    [
      Row(
        "end requests with an async disposal closure", "per request of 4,000", against: "per request of 400", limit: 3,
        sizes: (4_000, 400), subject: endRequests(4_000), baseline: endRequests(400))
    ]
  }

  private static func endRequests(_ size: Int) -> Workload {
    Workload(measuringItself: { count in
      var time = Duration.zero
      for _ in 0..<count { time += await timeOfEnding(size) }
      return time
    })
  }

  private static func timeOfEnding(_ size: Int) async -> Duration {
    let pod = Pod()
    let (gate, opening) = AsyncStream.makeStream(of: Void.self)
    let allRun = Task { for await _ in gate {} }
    let waiting = WaitingClosures()
    let provider = AsyncProvider(scope: RequestScope()) { _ in
      Service()
    } onDispose: { _ in
      if waiting.add() == size { opening.finish() }
      await allRun.value
    }
    var children: [Pod] = []
    for _ in 0..<size {
      let child = pod.makeChild(owning: [RequestScope()])
      guard let service = try? await child.resolve(provider) else { fatalError("the builder throws nothing") }
      consume(service)
      children.append(child)
    }
    // The time of the processor: all closures wait at the same moment.
    let start = clock()
    await withTaskGroup(of: Void.self) { group in
      for child in children { group.addTask { await child.shutdown() } }
    }
    return .seconds(Double(clock() - start) / Double(CLOCKS_PER_SEC))
  }
}
