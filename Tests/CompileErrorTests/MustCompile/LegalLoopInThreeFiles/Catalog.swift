import Peapod

nonisolated final class Catalog: Sendable {
  init(_ account: Account) {}
}

nonisolated let catalog = Provider { pod in
  let account = pod.resolve(account)
  return Catalog(account)
}
