import Peapod

extension Row {
  /// How the time to remove an override depends on the rest of the pod.
  static var removals: [Row] {
    let section = "remove an override that two instances were built from"
    let perInstance = "remove an override, per instance built from it"
    return [
      comparison(section, "in a pod with 10,000 other overrides", against: "with 10 other overrides", sizes: batch) {
        (removal(overrides: 10_000), removal(overrides: 10))
      },
      comparison(
        section, "in a pod with 10,000 other overrides and a hidden holder of a factory",
        against: "with 10 other overrides", sizes: batch
      ) {
        (removal(overrides: 10_000, hidesHolder: true), removal(overrides: 10, hidesHolder: true))
      },
      comparison(section, "in a pod with 10,000 other instances", against: "with 10 other instances", sizes: batch) {
        (removal(instances: 10_000), removal(instances: 10))
      },
      comparison(perInstance, "of 10,000", against: "of 1,000", sizes: (10_000, 1_000)) {
        (removal(dependents: 10_000), removal(dependents: 1_000))
      },
      comparison(
        "add an unrelated override and dispose, per member that holds a factory of its family", "of 10,000",
        against: "of 1,000", sizes: (10_000, 1_000)
      ) {
        (lifeOfHolders(members: 10_000), lifeOfHolders(members: 1_000))
      },
    ]
  }

  /// Makes a row whose workloads are set up when it is measured, and that may take twice as long as its baseline.
  private static func comparison(
    _ section: String, _ name: String, against baseline: String, sizes: (Int, Int),
    _ make: @escaping @Sendable () -> (Workload, Workload)
  ) -> Row {
    Row(section, name, against: baseline, limit: .ratio(2), run: { _ = await make().0.time($0) }) { effort in
      let (subject, baseline) = make()
      let times = await effort.nanoseconds(of: subject, and: baseline)
      return Measurement(
        .nanoseconds(times.subject / Double(sizes.0)), against: .nanoseconds(times.baseline / Double(sizes.1)))
    }
  }

  /// How many overrides one operation removes, so that the clock's own time does not count.
  private static let batch = (64, 64)

  /// Removes overrides from a pod that has other overrides and other instances.
  private static func removal(overrides: Int = 0, instances: Int = 0, hidesHolder: Bool = false) -> Workload {
    let pod = Pod()
    if hidesHolder {
      let (replaced, held) = (Provider { _ in Service() }, Provider { _ in Service() })
      let holder = Provider { pod in Holder(Client(pod.resolve(replaced)), pod.factory(held)) }
      _ = pod.resolve(holder)
      pod.overrideProvider(replaced, withValue: Service())
    }
    let others = (0..<(overrides + instances)).map { _ in Provider { _ in Service() } }
    for provider in others.prefix(overrides) { pod.overrideProvider(provider, withValue: Service()) }
    for provider in others { consume(pod.resolve(provider)) }
    let dependencies = (0..<batch.0).map { _ in Provider { _ in Service() } }
    let clients = dependencies.map { dependency in Provider { pod in Client(pod.resolve(dependency)) } }
    return Workload(measuringItself: { count in
      var time = Duration.zero
      for _ in 0..<count {
        for dependency in dependencies { pod.overrideProvider(dependency) { _ in Service() } }
        for client in clients { consume(pod.resolve(client)) }
        time += ContinuousClock().measure {
          for dependency in dependencies { pod.removeOverrideProvider(dependency) }
        }
      }
      withExtendedLifetime(others) {}
      return time
    })
  }

  /// Adds an override to a pod in which each member of a family holds a factory of all members, and disposes the pod's instances.
  private static func lifeOfHolders(members: Int) -> Workload {
    let pod = Pod()
    let other = Provider { _ in Service() }
    return Workload(measuringItself: { count in
      var time = Duration.zero
      for _ in 0..<count {
        for number in 0..<members { _ = pod.resolve(holders(number)) }
        time += ContinuousClock().measure {
          pod.overrideProvider(other, withValue: Service())
          pod.dispose()
        }
        pod.removeOverrideProvider(other)
      }
      return time
    })
  }

  /// Removes one override that a number of instances were built from.
  private static func removal(dependents: Int) -> Workload {
    let pod = Pod()
    let dependency = Provider { _ in Service() }
    let clients = (0..<dependents).map { _ in Provider { pod in Client(pod.resolve(dependency)) } }
    return Workload(measuringItself: { count in
      var time = Duration.zero
      for _ in 0..<count {
        pod.overrideProvider(dependency) { _ in Service() }
        for client in clients { consume(pod.resolve(client)) }
        time += ContinuousClock().measure { pod.removeOverrideProvider(dependency) }
      }
      return time
    })
  }
}

/// Is hidden with its client, and holds a factory.
private final class Holder: Sendable {
  let client: Client
  let make: @Sendable () -> Service
  init(_ client: Client, _ make: @escaping @Sendable () -> Service) { (self.client, self.make) = (client, make) }
}

/// Holds a factory of the family to which it belongs.
private final class FactoryHolder: Sendable {
  let make: @Sendable (Int) -> FactoryHolder
  init(_ make: @escaping @Sendable (Int) -> FactoryHolder) { self.make = make }
}

private let holders: ProviderFamily<Provider<FactoryHolder>, Int> = Provider.family { pod, _ in
  FactoryHolder(pod.factory(holders))
}
