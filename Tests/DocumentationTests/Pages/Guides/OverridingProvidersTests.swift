// snippet: Override declare
import Peapod
// end
import Testing

// snippet: Override declare
private protocol Rates: Sendable {
  func rate(of currency: String) -> Double
}

private struct LiveRates: Rates {
  func rate(of currency: String) -> Double { currency == "EUR" ? 1.1 : 0.75 }
}

private struct FixedRates: Rates {
  let value: Double
  func rate(of currency: String) -> Double { value }
}

private final class Converter: Sendable {
  let rates: any Rates
  init(rates: any Rates) { self.rates = rates }
  func dollars(_ amount: Double, _ currency: String) -> Double { amount * rates.rate(of: currency) }
}

private struct Checkout: Sendable { let converter: Converter }

private let ratesProvider = Provider<any Rates> { _ in LiveRates() }
private let converterProvider = Provider { pod in Converter(rates: pod.resolve(ratesProvider)) }
private let checkoutProvider = Provider { pod in Checkout(converter: pod.resolve(converterProvider)) }
// end

// snippet: Override decorator
private struct LoggingRates: Rates {
  let base: any Rates

  func rate(of currency: String) -> Double {
    print("rate of \(currency)")
    return base.rate(of: currency)
  }
}
// end

// snippet: Override family
private let labelProvider = Provider.family { (pod, id: Int) in "product \(id)" }
// end

// snippet: Override global
private let app = Pod("App")

private func price(_ amount: Double) -> Double {
  app.resolve(checkoutProvider).converter.dollars(amount, "EUR")
}
// end

@Suite("Overriding providers", .transcript)
struct OverridingProvidersTests {
  private let pod = Pod()

  @Test("An override reaches dependents; the originals return after its removal")
  func reach() throws {
    // snippet: Override reach
    let pod = Pod()
    let original = pod.resolve(checkoutProvider).converter

    pod.overrideProvider(ratesProvider) { _ in FixedRates(value: 2) }
    print(pod.resolve(checkoutProvider).converter.dollars(10, "EUR"))

    pod.removeOverrideProvider(ratesProvider)
    print(pod.resolve(checkoutProvider).converter === original)
    // end
    try expectOutput(of: "Override reach")
  }

  @Test("The forms of an override")
  func forms() throws {
    // snippet: Override forms
    pod.overrideProvider(ratesProvider) { _ in FixedRates(value: 2) }
    pod.overrideProvider(ratesProvider, scope: .alwaysCreateNew) { _ in FixedRates(value: 3) }
    pod.overrideProvider(ratesProvider, withValue: FixedRates(value: 4))
    print(pod.resolve(converterProvider).dollars(1, "EUR"))

    pod.removeAllOverrides()
    print(pod.resolve(converterProvider).dollars(1, "EUR"))
    // end
    try expectOutput(of: "Override forms")
  }

  @Test("An override that resolves its own provider decorates it")
  func decorator() throws {
    // snippet: Override decorator use
    pod.overrideProvider(ratesProvider) { pod in LoggingRates(base: pod.resolve(ratesProvider)) }
    print(pod.resolve(converterProvider).dollars(10, "GBP"))
    // end
    try expectOutput(of: "Override decorator use")
  }

  @Test("The override of a member takes precedence over that of its family")
  func families() throws {
    // snippet: Override family use
    pod.overrideProvider(labelProvider) { _, id in "sample \(id)" }
    pod.overrideProvider(labelProvider(7)) { _ in "the seventh" }
    print(pod.resolve(labelProvider(1)), pod.resolve(labelProvider(7)), separator: ", ")
    // end
    try expectOutput(of: "Override family use")
  }

  // snippet: Override parallel
  @Test(arguments: 1...100)
  func parallel(rate: Int) {
    let converted = app.withOverrides {
      $0.overrideProvider(ratesProvider) { _ in FixedRates(value: Double(rate)) }
    } operation: {
      price(2)
    }
    #expect(converted == Double(rate * 2))
  }
  // end

  @Test("Child tasks see the overrides of their override scope")
  func tasks() async throws {
    // snippet: Override tasks
    let prices = await app.withOverrides {
      $0.overrideProvider(ratesProvider) { _ in FixedRates(value: 2) }
    } operation: {
      async let first = price(1)
      async let second = price(2)
      return await [first, second]
    }
    print(prices, price(1))
    // end
    try expectOutput(of: "Override tasks")
  }

  @Test("What an override built is disposed; what was given as a value is not")
  func disposal() throws {
    // snippet: Override disposal
    let fileProvider = Provider("file") { _ in
      "notes.txt"
    } onDispose: { file in
      print("closed \(file)")
    }

    pod.overrideProvider(fileProvider) { _ in "copy.txt" }
    _ = pod.resolve(fileProvider)
    pod.overrideProvider(fileProvider, withValue: "given.txt")
    _ = pod.resolve(fileProvider)
    pod.removeOverrideProvider(fileProvider)
    // end
    try expectOutput(of: "Override disposal")
  }
}
