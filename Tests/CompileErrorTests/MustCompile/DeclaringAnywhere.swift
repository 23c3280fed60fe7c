// Providers as members, as locals, as parameters and in generic code.
// modes: 5 6 5-complete 6-upcoming
import Peapod

final class Live: Sendable {
  static let provider = Provider { pod in Live(pod.resolve(Core.provider)) }
  init(_ core: Core) {}
}
final class Core: Sendable {
  static let provider = Provider { _ in Core() }
}
enum Services {
  static let number = ThrowingProvider { _ in 3 }
  static let text = AsyncProvider { pod in "\(try pod.resolve(number))" }
}
struct Feature: Sendable {
  var core: Provider<Core>
  let live: Provider<Live>

  init(core: Provider<Core>) {
    self.core = core
    live = Provider { pod in Live(pod.resolve(core)) }
  }
}
struct Boxed<Value: Sendable>: Sendable {
  let provider: Provider<[Value]>
  init(_ value: Value) { provider = Provider { _ in [value] } }
}
func local(_ pod: Pod) -> Int {
  let base = 2
  let one = Provider { _ in base }
  let two = Provider("two") { pod in pod.resolve(one) + 1 }
  return pod.resolve(two)
}
func known<P: ProviderProtocol>(_ provider: P, in pod: Pod) -> Bool where P.Value == Int {
  let id: ProviderID = provider.id
  print(id, provider.description)
  return pod.isCached(provider)
}
func erased(_ pod: Pod) {
  let all: [any ProviderProtocol] = [Services.number, Services.text, Live.provider]
  for provider in all { pod.clearCachedInstance(of: provider) }
  let names: [Provider<Int>: String] = [Provider { _ in 1 }: "one"]
  print(names, known(Services.number, in: pod))
}
