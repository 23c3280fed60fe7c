import Peapod

extension Row {
  /// Cached resolves of asynchronous providers.
  static var asynchronous: [Row] {
    let section = "cached async resolve"
    let function = "an async function that does not suspend"
    return [
      Row(section, "without isolation", against: function, limit: 2, subject: resolveAsync, baseline: readAsync),
      Row(
        section, "from the main actor", against: function, limit: 2, subject: resolveAsyncOnMainActor,
        baseline: readAsyncOnMainActor),
      Row(
        section, "from an actor", against: function, limit: 2, subject: resolveAsyncOnActor,
        baseline: readAsyncOnActor),
      Row(
        section, "through an empty child", against: function, subject: resolveAsyncThroughChild, baseline: readAsync),
    ]
  }

  // The loops have their globals in local constants: a loop with suspension points would look them up at each turn.

  static let resolveAsync = Workload.nonisolated { count in
    let pod = pod
    let provider = asyncService
    for _ in 0..<count { consume(try await pod.resolve(provider)) }
  }

  static let readAsync = Workload.nonisolated { count in
    let container = handMadeContainer
    for _ in 0..<count { consume(await container.readService()) }
  }

  static let resolveAsyncOnMainActor = Workload.asyncOnMainActor { count in
    let pod = pod
    let provider = asyncService
    for _ in 0..<count { consume(try await pod.resolve(provider)) }
  }

  static let readAsyncOnMainActor = Workload.asyncOnMainActor { count in
    let container = handMadeContainer
    for _ in 0..<count { consume(await container.readService()) }
  }

  static let resolveAsyncOnActor = Workload.asyncOnActor { _, count in
    let pod = pod
    let provider = asyncService
    for _ in 0..<count { consume(try await pod.resolve(provider)) }
  }

  static let readAsyncOnActor = Workload.asyncOnActor { _, count in
    let container = handMadeContainer
    for _ in 0..<count { consume(await container.readService()) }
  }

  static let resolveAsyncThroughChild: Workload = {
    let child = pod.makeChild()
    return .nonisolated { count in
      let provider = asyncService
      for _ in 0..<count { consume(try await child.resolve(provider)) }
    }
  }()
}
