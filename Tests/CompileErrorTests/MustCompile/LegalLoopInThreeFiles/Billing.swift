import Peapod

nonisolated final class Billing: Sendable {
  init(_ catalog: Catalog) {}
}

nonisolated let billing = Provider { pod in Billing(pod.resolve(catalog)) }
