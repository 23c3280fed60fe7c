import Peapod
import Testing

/// Rule 30: an `onDispose` that nobody could call draws a warning, and the provider works as though it had none.
@MainActor
struct UncallableHookTests {
  /// Calls without a warning what warns: the requirement is not deprecated, its witnesses are.
  private protocol Declaring {
    associatedtype Kind
    @MainActor static func providers(_ hook: @escaping @Sendable (Tracked) -> Void) -> [Kind]
  }

  private enum Plain: Declaring {
    @available(*, deprecated)
    static func providers(_ hook: @escaping @Sendable (Tracked) -> Void) -> [Provider<Tracked>] {
      let fresh = Provider.family(scope: AlwaysCreateNewScope(), { (_, _: Int) in Tracked() }, onDispose: hook)
      let weak = Provider.family(scope: WeakScope(), { (_, _: Int) in Tracked() }, onDispose: hook)
      return [
        Provider(scope: AlwaysCreateNewScope(), { _ in Tracked() }, onDispose: hook), fresh(1),
        Provider(scope: WeakScope(), { _ in Tracked() }, onDispose: hook), weak(1),
      ]
    }
  }

  private enum Throwing: Declaring {
    @available(*, deprecated)
    static func providers(_ hook: @escaping @Sendable (Tracked) -> Void) -> [ThrowingProvider<Tracked>] {
      let fresh = ThrowingProvider.family(scope: AlwaysCreateNewScope(), { (_, _: Int) in Tracked() }, onDispose: hook)
      let weak = ThrowingProvider.family(scope: WeakScope(), { (_, _: Int) in Tracked() }, onDispose: hook)
      return [
        ThrowingProvider(scope: AlwaysCreateNewScope(), { _ in Tracked() }, onDispose: hook), fresh(1),
        ThrowingProvider(scope: WeakScope(), { _ in Tracked() }, onDispose: hook), weak(1),
      ]
    }
  }

  private enum Async: Declaring {
    @available(*, deprecated)
    static func providers(_ hook: @escaping @Sendable (Tracked) -> Void) -> [AsyncProvider<Tracked>] {
      let fresh = AsyncProvider.family(scope: AlwaysCreateNewScope(), { (_, _: Int) in Tracked() }, onDispose: hook)
      let weak = AsyncProvider.family(scope: WeakScope(), { (_, _: Int) in Tracked() }, onDispose: hook)
      return [
        AsyncProvider(scope: AlwaysCreateNewScope(), { _ in Tracked() }, onDispose: hook), fresh(1),
        AsyncProvider(scope: WeakScope(), { _ in Tracked() }, onDispose: hook), weak(1),
      ]
    }
  }

  private enum Main: Declaring {
    @available(*, deprecated)
    static func providers(_ hook: @escaping @Sendable (Tracked) -> Void) -> [MainActorProvider<Tracked>] {
      let fresh = MainActorProvider.family(scope: AlwaysCreateNewScope(), { (_, _: Int) in Tracked() }, onDispose: hook)
      let weak = MainActorProvider.family(scope: WeakScope(), { (_, _: Int) in Tracked() }, onDispose: hook)
      return [
        MainActorProvider(scope: AlwaysCreateNewScope(), { _ in Tracked() }, onDispose: hook), fresh(1),
        MainActorProvider(scope: WeakScope(), { _ in Tracked() }, onDispose: hook), weak(1),
      ]
    }
  }

  private func declare<Source: Declaring>(_ source: Source.Type, _ calls: Counter) -> [Source.Kind] {
    source.providers { _ in calls.increment() }
  }

  @Test("R3 R5 R30 with a hook that nobody could call, always new and weak providers of every kind work without it")
  func everyKind() async throws {
    let (calls, pod) = (Counter(), Pod())
    for (index, provider) in declare(Plain.self, calls).enumerated() {
      let first = pod.resolve(provider)
      #expect((pod.resolve(provider) === first) == (index > 1))
    }
    for (index, provider) in declare(Throwing.self, calls).enumerated() {
      let first = try pod.resolve(provider)
      #expect((try pod.resolve(provider) === first) == (index > 1))
    }
    for (index, provider) in declare(Async.self, calls).enumerated() {
      let first = try await pod.resolve(provider)
      let second = try await pod.resolve(provider)
      #expect((second === first) == (index > 1))
    }
    for (index, provider) in declare(Main.self, calls).enumerated() {
      let first = pod.resolve(provider)
      #expect((pod.resolve(provider) === first) == (index > 1))
    }
    await pod.shutdown()
    #expect(calls.value == 0)
  }
}
