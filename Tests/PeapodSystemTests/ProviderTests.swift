import Foundation
import Peapod
import PeapodSystem
import Testing

@Suite("The system's providers")
struct ProviderTests {
  private let all: [any ProviderProtocol] = [
    .date, .uuid, .random, .clock, .calendar, .locale, .timeZone, .environment,
  ]

  @Test("R1 Each is one declaration, however often it is named")
  func identity() {
    #expect(Provider.date == Provider.date)
    #expect(Provider<any Clock<Duration>>.clock == .clock)
    for (provider, again) in zip(all, ProviderTests().all) { #expect(provider.id == again.id) }
    #expect(Set(all.map { $0.id }).count == all.count)
  }

  @Test("R1 A description has the provider's name and its place")
  func descriptions() {
    let names = ["date", "uuid", "random", "clock", "calendar", "locale", "timeZone", "environment"]
    for (provider, name) in zip(all, names) {
      #expect("\(provider)".contains(name))
      #expect("\(provider)".contains("PeapodSystem/"))
    }
  }

  @Test("They give the values of the system")
  func systemValues() async throws {
    let pod = Pod()
    let before = Date()
    let now = pod.resolve(.date).now
    #expect(before <= now && now <= Date())
    #expect(pod.resolve(.uuid)() != pod.resolve(.uuid)())
    #expect(pod.resolve(.random).next() != pod.resolve(.random).next())
    #expect(pod.resolve(.clock) is ContinuousClock)
    #expect(pod.resolve(.calendar) == .autoupdatingCurrent)
    #expect(pod.resolve(.locale) == .autoupdatingCurrent)
    #expect(pod.resolve(.timeZone) == .autoupdatingCurrent)
    #expect(pod.resolve(.environment)["PATH"] == ProcessInfo.processInfo.environment["PATH"])
    try await pod.resolve(.clock).sleep(for: .zero)
  }

  private struct Order {
    @Injected(.uuid) var uuid
    @LazyInjected(.date) var date
  }

  @Test("Property wrappers name them without their types")
  func wrappers() {
    let pod = Pod()
    pod.overrideProvider(.uuid, withValue: .incrementing)
    pod.overrideProvider(.date, withValue: .constant(.distantPast))
    let order = Pod.$current.withValue(pod) { Order() }
    #expect(order.uuid() == UUID(uuidString: "00000000-0000-0000-0000-000000000000"))
    #expect(order.date.now == .distantPast)
  }

  @Test("Every function of a pod that takes a provider names them without their types")
  func podFunctions() {
    let pod = Pod()
    pod.overrideProvider(.clock, withValue: ImmediateClock())
    #expect(pod.resolve(.clock) is ImmediateClock)
    pod.overrideProvider(.clock) { _ in ManualClock() }
    #expect(pod.resolve(.clock) is ManualClock)
    #expect(pod.isCached(.clock))
    pod.clearCachedInstance(of: .clock)
    #expect(!pod.isCached(.clock))
    pod.removeOverrideProvider(.clock)
    #expect(pod.lazy(.clock).value is ContinuousClock)
    #expect(pod.factory(.date)().now > .distantPast)
    #expect(pod.withResolved(.environment) { $0["PATH"] } != nil)
    #expect(pod.graph.dependencies(of: .date).isEmpty)
  }
}
