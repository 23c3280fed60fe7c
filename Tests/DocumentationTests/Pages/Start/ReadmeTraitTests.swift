// snippet: Readme trait
import Peapod
import PeapodTesting
import Testing

// end

private struct Advisor: Sendable { let weather: String }

private let weatherProvider = Provider { _ in "rain" }
private let advisorProvider = Provider { pod in Advisor(weather: pod.resolve(weatherProvider)) }

// snippet: Readme trait
@Test(.pod { $0.overrideProvider(weatherProvider) { _ in "snow" } })
func advisorReadsTheWeather() {
  #expect(Pod.current.resolve(advisorProvider).weather == "snow")
}
// end
