import Peapod
import Testing

/// Rule 27: providers that are declared locally end at any moment, whatever is being done with what they built.
struct EndedProviderTests {
  private struct FlowScope: ProviderScope {}
  private struct Refusal: Error {}

  /// An argument whose end calls back into a pod.
  private final class Argument: Hashable, Sendable {
    let number: Int
    let pod: Pod
    init(_ number: Int, _ pod: Pod) {
      self.number = number
      self.pod = pod
    }
    deinit { _ = pod.name }
    static func == (left: Argument, right: Argument) -> Bool { left.number == right.number }
    func hash(into hasher: inout Hasher) { hasher.combine(number) }
  }

  @Test("R27 what others remembered of an ended provider goes when it ends, in any order")
  func endsWithWhatLingers() {
    let population = Population()
    let pod = Pod()
    var family: ProviderFamily? = Provider.family(scope: FlowScope()) { (_: Pod, _: Int) in population.make() }
    var member = family.map { $0(1) }
    do {
      let kept = member!
      let dependent = Provider { pod in population.make(keeping: [pod.resolve(kept)]) }
      _ = pod.resolve(dependent)
      pod.clearCachedInstances(forScope: FlowScope())
      _ = pod.resolve(kept)
      pod.clearCachedInstance(of: dependent)
    }
    // As many as a pod keeps of providers that have ended: the next one to end has the first of them go.
    for _ in 0..<255 {
      let provider = Provider { _ in 1 }
      #expect(pod.resolve(provider) == 1)
    }
    (member, family) = (nil, nil)
    #expect(member == nil && family == nil)
    pod.dispose()
    #expect(population.live == 0)
  }

  @Test("R28 the graph may show what failed for one use, when its provider has ended")
  func failedUseOfAnEndedProvider() async throws {
    let pod = Pod()
    let provider = AsyncProvider { pod in
      let failing = AsyncProvider<Int>("failing") { _ in throw Refusal() }
      return (try? await pod.withFreshInstance(of: failing) { $0 }) ?? 0
    }
    #expect(try await pod.resolve(provider) == 0)
    // Memory that is free already is used again.
    let others = (0..<16).map { number in Provider { _ in number } }
    #expect(others.map { pod.resolve($0) } == Array(0..<16))
    #expect(pod.graph.nodes.count >= 17)
    let child = pod.makeChild { $0.overrideProvider(others[0], withValue: 1) }
    #expect(try await child.resolve(provider) == 0)
  }

  @Test("R27 a child leaves nothing of ended providers whose instances were cleared")
  func childOfEndedProviders() {
    let population = Population()
    let pod = Pod()
    for _ in 0..<10 {
      let child = pod.makeChild(owning: [FlowScope()])
      do {
        let provider = Provider(scope: FlowScope()) { _ in population.make() }
        _ = child.resolve(provider)
      }
      child.clearCachedInstances(forScope: FlowScope())
      #expect(population.live == 0)
    }
    #expect(population.made == 10)
  }

  @Test("R9 arguments may end while another thread overrides their family")
  func argumentsEndWhileOverridden() async throws {
    let pod = Pod()
    let family = Provider.family { (_: Pod, argument: Argument) in argument.number }
    let running = Counter()
    try await runThreads(3) { index in
      if index == 0 {
        while running.value < 2 {
          pod.overrideProvider(family) { _, _ in 0 }
          pod.removeOverrideProvider(family)
        }
      } else {
        for number in 0..<500 { _ = family(Argument(number * 2 + index, pod)) }
        running.increment()
      }
    }
    #expect(running.value == 2)
  }
}
