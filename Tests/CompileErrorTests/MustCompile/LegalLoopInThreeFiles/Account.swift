// A loop over three files, legal through a factory and declared by one annotation.
// modes: 5 6 5-complete 6-upcoming 5-main-actor 6-main-actor 6-approachable
import Peapod

nonisolated final class Account: Sendable {
  let makeBilling: @Sendable () -> Billing
  init(makeBilling: @escaping @Sendable () -> Billing) { self.makeBilling = makeBilling }
}

nonisolated let account: Provider<Account> = Provider { pod in Account(makeBilling: pod.factory(billing)) }
