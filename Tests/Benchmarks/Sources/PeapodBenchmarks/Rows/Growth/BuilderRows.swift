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
    ]
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
