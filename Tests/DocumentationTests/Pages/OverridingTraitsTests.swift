import Peapod
import PeapodTesting
import Testing

private protocol Rates: Sendable { func rate(of currency: String) -> Double }
private struct LiveRates: Rates { func rate(of currency: String) -> Double { 1.1 } }
private struct FixedRates: Rates {
  let value: Double
  func rate(of currency: String) -> Double { value }
}
private final class Converter: Sendable {
  let rates: any Rates
  init(rates: any Rates) { self.rates = rates }
  func dollars(_ amount: Double, _ currency: String) -> Double { amount * rates.rate(of: currency) }
}

private let ratesProvider = Provider<any Rates> { _ in LiveRates() }
private let converterProvider = Provider { pod in Converter(rates: pod.resolve(ratesProvider)) }
private let app = Pod("App")

private func price(_ amount: Double) -> Double { app.resolve(converterProvider).dollars(amount, "EUR") }

// snippet: Override traits
@Suite(.pod { $0.overrideProvider(ratesProvider) { _ in FixedRates(value: 2) } }, .strict)
struct ConverterTests {
  @Test(arguments: [1.0, 2.5])
  func converts(amount: Double) {
    #expect(Pod.current.resolve(converterProvider).dollars(amount, "EUR") == amount * 2)
  }
}

@Test(.overrides(of: app) { $0.overrideProvider(ratesProvider) { _ in FixedRates(value: 3) } })
func pricesFromTheApp() {
  #expect(price(2) == 6)
}
// end
