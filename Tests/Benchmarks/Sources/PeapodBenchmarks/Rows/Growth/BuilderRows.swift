import Peapod

extension Row {
  /// How the time of one builder depends on the number of its dependencies.
  static var builders: [Row] {
    let section = "one builder that makes"
    let services = Provider.family { (_: Pod, _: Int) in Service() }
    let shortLived = Provider.family(scope: .graph) { (_: Pod, _: Int) in Service() }
    let service = Provider { _ in Service() }
    return [
      row(section, "a Lazy of one provider") { pod, _ in pod.lazy(service) },
      row(section, "a factory of a provider") { pod, number in pod.factory(services(number)) },
      row(section, "a graph-scoped instance") { pod, number in pod.resolve(shortLived(number)) },
      Row(
        "child of a pod with a cached graph", "override below all of it, per provider of 2,000",
        against: "per provider of 200", limit: 3, sizes: (2_000, 200),
        subject: rebuildInChild(2_000), baseline: rebuildInChild(200)),
      Row(
        "child of a pod with a cached graph", "override below all of it in a child of a child, per provider of 2,000",
        against: "per provider of 200", limit: 3, sizes: (2_000, 200),
        subject: rebuildInChild(2_000, ofChild: true), baseline: rebuildInChild(200, ofChild: true)),
    ]
  }

  /// Builds, for a child, a chain of providers that the parent has cached.
  ///
  /// `ofChild`: whether the parent is itself a child.
  private static func rebuildInChild(_ size: Int, ofChild: Bool = false) -> Workload {
    let base = Provider { _ in Service() }
    var pod = Pod()
    if ofChild { pod = pod.makeChild { $0.overrideProvider(base, withValue: Service()) } }
    var top = base
    for _ in 1..<size {
      let below = top
      top = Provider { pod in
        consume(pod.resolve(below))
        return Service()
      }
      consume(pod.resolve(top))
    }
    let (last, parent) = (top, pod)
    return Workload { count in
      for _ in 0..<count {
        let child = parent.makeChild { $0.overrideProvider(base, withValue: Service()) }
        consume(child.resolve(last))
      }
    }
  }

  /// Makes a row of a builder that makes and keeps 10,000 parts, against 1,000 parts.
  private static func row<Part>(_ section: String, _ name: String, _ make: @escaping @Sendable (Pod, Int) -> Part)
    -> Row
  {
    func workload(_ size: Int) -> Workload {
      let provider = Provider(scope: .alwaysCreateNew) { pod in
        let parts = (0..<size).map { make(pod, $0) }
        return withExtendedLifetime(parts) { Service() }
      }
      return Workload { count in
        for _ in 0..<count { consume(Pod().resolve(provider)) }
      }
    }
    return Row(
      section, "\(name), each of 10,000", against: "each of 1,000", limit: 3, sizes: (10_000, 1_000),
      subject: workload(10_000), baseline: workload(1_000))
  }
}
