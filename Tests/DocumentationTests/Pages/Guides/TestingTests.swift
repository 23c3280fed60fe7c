// snippet: Testing declare
import Peapod
import PeapodTesting
import Synchronization
import Testing
import XCTest

// end

// snippet: Testing declare
protocol PaymentAPI: Sendable {
  func pay(_ amount: Int) -> String
}

struct LivePaymentAPI: PaymentAPI {
  func pay(_ amount: Int) -> String { "paid \(amount)" }
}

struct PaymentMock: PaymentAPI {
  func pay(_ amount: Int) -> String { "would pay \(amount)" }
}

private final class Checkout: Sendable {
  let api: any PaymentAPI

  init(api: any PaymentAPI) { self.api = api }
}

struct BasketScope: ProviderScope {}

private let paymentProvider = Provider<any PaymentAPI>("payment") { _ in LivePaymentAPI() }
private let checkoutProvider = Provider("checkout", scope: BasketScope()) { pod in
  Checkout(api: pod.resolve(paymentProvider))
}
private let appPod = Pod("app")
// end

// snippet: Testing pod
@Suite(.pod { $0.overrideProvider(paymentProvider) { _ in PaymentMock() } }, .strict)
struct CheckoutTests {
  @Test(arguments: [1, 20, 300])
  func pays(amount: Int) {
    let checkout = Pod.current.resolve(checkoutProvider)
    #expect(checkout.api.pay(amount) == "would pay \(amount)")
  }
}
// end

// snippet: Testing spy
private final class PaymentSpy: PaymentAPI {
  let amounts = Mutex<[Int]>([])

  func pay(_ amount: Int) -> String {
    amounts.withLock { $0.append(amount) }
    return ""
  }
}

@Test(.pod) func paysOnce() {
  let spy = PaymentSpy()
  Pod.current.overrideProvider(paymentProvider, withValue: spy)
  _ = Pod.current.resolve(checkoutProvider).api.pay(3)
  #expect(spy.amounts.withLock { $0 } == [3])
}
// end

// snippet: Testing overrides
@Test(.overrides(of: appPod) { $0.overrideProvider(paymentProvider) { _ in PaymentMock() } }, .strict)
func paysFromTheAppPod() {
  #expect(appPod.resolve(checkoutProvider).api.pay(5) == "would pay 5")
}
// end

// snippet: Testing require
@Suite(.pod { $0.requireOverride(paymentProvider) })
struct NeverPaysForReal {
  @Test(.pod { $0.overrideProvider(paymentProvider) { _ in PaymentMock() } })
  func paysWithTheMock() {
    #expect(Pod.current.resolve(paymentProvider).pay(1) == "would pay 1")
  }
}
// end

// snippet: Testing recorder
@Test(.pod) func buildsOnceAndReleases() {
  let recorder = ResolutionRecorder(observing: .current)
  _ = Pod.current.resolve(checkoutProvider)
  _ = Pod.current.resolve(checkoutProvider)
  #expect(recorder.builds.map(\.name) == ["payment", "checkout"])
  expectReleased(afterClearing: BasketScope(), in: .current)
}
// end

// snippet: Testing graph
@Test(.pod) func graphOfTheCheckout() {
  _ = Pod.current.resolve(checkoutProvider)
  expectGraph(of: .current, matches: "Checkout")
}
// end

// snippet: Testing XCTest
final class CheckoutTestCase: XCTestCase {
  override func invokeTest() {
    appPod.withOverrides {
      $0.overrideProvider(paymentProvider) { _ in PaymentMock() }
    } operation: {
      super.invokeTest()
    }
  }

  func testPays() async {
    XCTAssertEqual(appPod.resolve(checkoutProvider).api.pay(7), "would pay 7")
  }
}
// end
