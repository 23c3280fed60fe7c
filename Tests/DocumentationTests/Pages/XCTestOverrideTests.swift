import Peapod
import XCTest

private let stepProvider = Provider { _ in 1 }
private let app = Pod("App")

// snippet: Override XCTest
final class CounterTests: XCTestCase {
  override func invokeTest() {
    app.withOverrides {
      $0.overrideProvider(stepProvider) { _ in 10 }
    } operation: {
      super.invokeTest()
    }
  }

  func testCountsInTens() {
    XCTAssertEqual(app.resolve(stepProvider), 10)
  }
}
// end
