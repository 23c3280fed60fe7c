import Peapod
import Testing

private let serviceProvider = Provider("service") { _ in Part("service") }
private let consumerProvider = Provider("consumer") { _ in Consumer() }

private struct Consumer: Sendable {
  @Injected(serviceProvider) var service
}

private struct CleanScope: ProviderScope {}

private struct LazyConsumer: Sendable {
  @LazyInjected(serviceProvider) var service: Part
}

private struct FixedConsumer: Sendable {
  @Injected var service: Part
  @LazyInjected var late: Part

  init(_ pod: Pod) {
    _service = Injected(serviceProvider, from: pod)
    _late = LazyInjected(serviceProvider, from: pod)
  }
}

@MainActor private let screenProvider = MainActorProvider("screen") { _ in Part("screen") }

@MainActor private final class Window {
  @Injected(screenProvider) var screen
  @LazyInjected(screenProvider) var late: Part
}

/// `Injected` and `LazyInjected`.
@Suite struct InjectedTests {
  @Test("R10 R23 within the closure of a lazy, injected means the pod around the lazy")
  func insideLazy() {
    let pod = Pod("test")
    let alone = Lazy { Consumer() }
    #expect(Pod.$current.withValue(pod) { alone.value.service } === pod.resolve(serviceProvider))
    let inBuilder = Lazy { Consumer() }
    let user = Provider("user") { _ in inBuilder.value.service }
    #expect(pod.resolve(user) === pod.resolve(serviceProvider))
  }

  @Test("R10 injected without a pod means the current one, at init")
  func currentPod() {
    let pod = Pod("test")
    let other = Pod("other")
    let consumer = Pod.$current.withValue(pod) { Consumer() }
    #expect(consumer.service === pod.resolve(serviceProvider))
    Pod.$current.withValue(other) { #expect(consumer.service === pod.resolve(serviceProvider)) }
    #expect(!other.isCached(serviceProvider))
  }

  @Test("R10 a disposal closure belongs to no builder, also while the builder of a recorded transient clears")
  func disposalWithinTransient() {
    let number = Provider("number") { _ in 1 }
    let seen = Locked<[Int]>([])
    let cleaned = Provider("cleaned", scope: CleanScope()) { _ in
      Part("cleaned")
    } onDispose: { _ in
      let injected = Injected(number)
      seen.withLock { $0.append(injected.wrappedValue) }
    }
    let transient = Provider("transient", scope: .alwaysCreateNew) { pod in
      pod.clearCachedInstances(forScope: CleanScope())
      return 0
    }
    let pod = Pod("test")
    pod.overrideProvider(number, withValue: 2)
    Pod.$current.withValue(Pod("current")) {
      for _ in 0..<3 {
        _ = pod.resolve(cleaned)
        _ = pod.resolve(transient)
      }
    }
    #expect(seen.withLock { $0 } == [1, 1, 1])
  }

  @Test("R10 injected inside a build means the pod that is building, and counts as its dependency")
  func buildingPod() {
    let pod = Pod("building")
    let other = Pod("current")
    let before = Pod.$current.withValue(other) { pod.resolve(consumerProvider) }
    #expect(before.service === pod.resolve(serviceProvider))
    #expect(!other.isCached(serviceProvider))
    #expect(pod.graph.dependencies(of: consumerProvider).map(\.name) == ["service"])
    pod.overrideProvider(serviceProvider) { _ in Part("mock") }
    #expect(pod.resolve(consumerProvider).service.label == "mock")
    let child = pod.makeChild { $0.overrideProvider(serviceProvider) { _ in Part("child") } }
    #expect(child.resolve(consumerProvider).service.label == "child")
  }

  @Test("R10 injected from a given pod means that one")
  func givenPod() {
    let pod = Pod("given")
    let consumer = Pod.$current.withValue(Pod("current")) { FixedConsumer(pod) }
    #expect(consumer.service === pod.resolve(serviceProvider))
    #expect(consumer.late === consumer.service)
  }

  @Test("R10 lazily injected resolves at the first use, and is the same from then on")
  func lazily() {
    let pod = Pod("test")
    let consumer = Pod.$current.withValue(pod) { LazyConsumer() }
    #expect(!pod.isCached(serviceProvider))
    pod.overrideProvider(serviceProvider) { _ in Part("late") }
    let service = consumer.service
    #expect(service.label == "late")
    pod.removeAllOverrides()
    #expect(consumer.service === service)
  }

  @Test("R18 R19 injected in a child's operation and in a block means the pod at work")
  func inChildAndBlock() async {
    let pod = Pod("root")
    pod.withChild(configure: { $0.overrideProvider(serviceProvider) { _ in Part("child") } }) { _ in
      #expect(Consumer().service.label == "child")
      #expect(LazyConsumer().service.label == "child")
    }
    await Pod.$current.withValue(pod) {
      await pod.withOverrides({ $0.overrideProvider(serviceProvider) { _ in Part("block") } }) {
        await Task.yield()
        #expect(Consumer().service.label == "block")
      }
      #expect(Consumer().service.label == "service")
    }
  }

  @Test("R30 main-actor providers are injected on the main actor") @MainActor
  func mainActor() {
    let pod = Pod("test")
    let window = Pod.$current.withValue(pod) { Window() }
    #expect(window.screen === pod.resolve(screenProvider))
    #expect(window.late === window.screen)
  }

  @Test("R30 a first read of a lazily injected main-actor provider off the main actor stops with the remedy")
  func mainActorReadElsewhere() async throws {
    struct Model: Sendable {
      @LazyInjected var count: Int
      @MainActor init() { _count = LazyInjected(MainActorProvider("count") { _ in 1 }) }
    }
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let model = await MainActor.run { Model() }
      _ = await Task.detached { model.count }.value
    }
    let text = try #require(result?.errorText)
    for part in ["count", "InjectedTests.swift:", "main actor", "@LazyInjected"] {
      #expect(text.contains(part), "\(part)")
    }
    await MainActor.run {
      let model = Model()
      #expect(model.count == 1)
    }
  }
}
