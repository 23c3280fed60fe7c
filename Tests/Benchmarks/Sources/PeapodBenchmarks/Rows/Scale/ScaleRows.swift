import Peapod

extension Row {
  /// What several threads cost each other, and what rare conditions cost others.
  ///
  /// `--filter scale` measures these rows. Each operation stands beside the same objects with manual wiring, on one thread and on two at once.
  static var scale: [Row] {
    let request = "scale: request"
    let child = "scale: make and release a child"
    let root = "scale: a new root pod with one build"
    let override = "scale: override, resolve, remove, in a pod of its own"
    let first = "scale: first resolve of one of a chain of 1,000"
    let cached = "scale: cached singleton through a child with three unrelated overrides"
    return Twin.request.rows(request, limit: 12) + [Twin.request.addedRatioRow(request, limit: 1.5)]
      + conditions(request)
      + Twin.child.rows(child) + [Twin.child.addedRatioRow(child, limit: 1.5)]
      + Twin.root.rows(root) + [Twin.root.addedRatioRow(root, limit: 1.5)]
      + Twin.override.rows(override) + [Twin.override.addedRatioRow(override, limit: 1.5)]
      + Twin.overrideAgainstObject.rows(override, limit: 12)
      + Twin.cached.rows(cached, limit: 4, limitOnTwo: 4)
      + Twin.chain.rows(first, limit: 2.5, size: Twin.chainSize)
  }

  /// The request while something goes on that does not concern it.
  private static func conditions(_ section: String) -> [Row] {
    let server = Pod("server")
    let observed = Pod("observed server", observers: [IdleObserver()])
    let other = Pod("other")
    let slow = AsyncProvider { _ in Service() }
    let build: @Sendable (Pod) -> Condition = { pod in
      { wait in
        let own = AsyncProvider { _ in
          await wait()
          return Service()
        }
        _ = try? await pod.resolve(own)
      }
    }
    let scope: Condition = { wait in
      await other.withOverrides({ $0.overrideProvider(slow, withValue: Service()) }) { await wait() }
    }
    let follower: Condition = { wait in
      var updates = other.updates(of: service).makeAsyncIterator()
      _ = await updates.next()
      await wait()
      withExtendedLifetime(updates) {}
    }
    return [
      conditionRow(section, "while a provider is followed in another pod", server, follower),
      conditionRow(section, "while an async build waits in another pod", server, build(other)),
      conditionRow(section, "while an unrelated async build waits in the same pod", server, build(server)),
      conditionRow(section, "while an override scope is open on another pod", server, scope),
      Row(
        section, "with one observer on the root", against: "the plain request", limit: 1.3,
        subject: requests(in: observed), baseline: requests(in: server)),
    ]
  }

  /// An operation that calls the closure it receives while the condition holds.
  private typealias Condition = @Sendable (_ wait: @escaping @Sendable () async -> Void) async -> Void

  /// Makes a row of requests in a pod while a condition holds, beside requests while it does not.
  private static func conditionRow(
    _ section: String, _ name: String, _ pod: Pod, _ condition: @escaping Condition
  ) -> Row {
    let plain = requests(in: pod)
    let during = Workload(measuringItself: { count in
      let background = await Background(condition)
      _ = await plain.time(10)
      let time = await plain.time(count)
      await background.finish()
      return time
    })
    return Row(
      section, name, against: "the plain request", limit: .ratio(1.3), run: { _ = await during.time($0) }
    ) { effort in
      // A condition takes a while to begin and to end, so that rounds are longer than the others.
      let times = await effort.withRounds(of: .microseconds(500)).nanoseconds(of: during, and: plain)
      return Measurement(.nanoseconds(times.subject), against: .nanoseconds(times.baseline))
    }
  }

  /// Requests in a pod, one after the other.
  private static func requests(in pod: Pod) -> Workload {
    let requester = Service()
    return Workload { count in
      for number in 0..<count { answerRequest(number, of: requester, in: pod) }
    }
  }
}
