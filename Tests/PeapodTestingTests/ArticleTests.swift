import Foundation
import Peapod
import PeapodTesting
import Testing
import XCTest

// Every block of Swift in the article of PeapodTesting stands here word for word, so that it is compiled and run.

@Suite("The article of PeapodTesting")
struct ArticleTests {
  @Test("shows only what is compiled and run here")
  func blocks() throws {
    let tests = URL(fileURLWithPath: #filePath)
    let root = tests.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let article = root.appendingPathComponent("Sources/PeapodTesting/PeapodTesting.docc/PeapodTesting.md")
    let source = try String(contentsOf: tests, encoding: .utf8)
    let parts = try String(contentsOf: article, encoding: .utf8).components(separatedBy: "```")
    let blocks = parts.filter { $0.hasPrefix("swift\n") }.map { String($0.dropFirst("swift\n".count)) }
    #expect(blocks.count > 5)
    for block in blocks {
      #expect(source.contains(block), "this block is not in ArticleTests.swift")
    }
  }
}

protocol PaymentAPI: Sendable {
  func pay(_ amount: Int) -> String
}

struct LivePaymentAPI: PaymentAPI {
  func pay(_ amount: Int) -> String { "paid \(amount)" }
}

struct PaymentMock: PaymentAPI {
  func pay(_ amount: Int) -> String { "would pay \(amount)" }
}

final class Checkout: Sendable {
  let api: any PaymentAPI

  init(api: any PaymentAPI) {
    self.api = api
  }
}

let paymentProvider = Provider<any PaymentAPI>("payment") { _ in LivePaymentAPI() }
let checkoutProvider = Provider("checkout", scope: BasketScope()) { pod in Checkout(api: pod.resolve(paymentProvider)) }
let appPod = Pod("app")

struct BasketScope: ProviderScope {}

@Suite(.pod { $0.overrideProvider(paymentProvider) { _ in PaymentMock() } }, .strict)
struct CheckoutTests {
  @Test(arguments: [1, 20, 300])
  func pays(amount: Int) {
    let checkout = Pod.current.resolve(checkoutProvider)
    #expect(checkout.api.pay(amount) == "would pay \(amount)")
  }
}

@Test(.overrides(of: appPod) { $0.overrideProvider(paymentProvider) { _ in PaymentMock() } }, .strict)
func payingFromTheAppPod() {
  #expect(appPod.resolve(checkoutProvider).api.pay(5) == "would pay 5")
}

@Suite(.pod { $0.requireOverride(paymentProvider) })
struct NeverPaysForReal {
  @Test(.pod { $0.overrideProvider(paymentProvider) { _ in PaymentMock() } })
  func paysWithTheMock() {
    #expect(Pod.current.resolve(paymentProvider).pay(1) == "would pay 1")
  }
}

@Test(.pod) func buildsOnceAndLetsGo() {
  let recorder = ResolutionRecorder(observing: .current)
  _ = Pod.current.resolve(checkoutProvider)
  _ = Pod.current.resolve(checkoutProvider)
  #expect(recorder.builds.map(\.name) == ["payment", "checkout"])
  expectReleased(afterClearing: BasketScope(), in: .current)
}

@Test(.pod) func theGraphOfTheCheckout() {
  _ = Pod.current.resolve(checkoutProvider)
  expectGraph(of: .current, matches: "Checkout")
}

final class CheckoutTestCase: XCTestCase {
  override func invokeTest() {
    appPod.withOverrides({ $0.overrideProvider(paymentProvider) { _ in PaymentMock() } }) {
      super.invokeTest()
    }
  }

  func testPays() async {
    XCTAssertEqual(appPod.resolve(checkoutProvider).api.pay(7), "would pay 7")
  }
}
