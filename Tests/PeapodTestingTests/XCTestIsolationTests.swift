import Peapod
import PeapodTesting
import XCTest

/// How a test case of XCTest isolates a global pod: the block of overrides lies around each test.
final class XCTestIsolationTests: XCTestCase {
  override func invokeTest() {
    xctestPod.withOverrides({ $0.overrideProvider(apiProvider) { _ in MockAPI() } }) {
      super.invokeTest()
    }
  }

  func testOverrides() {
    XCTAssertEqual(xctestPod.resolve(serviceProvider).api.name(), "mock")
  }

  func testOverridesInAnAsynchronousTest() async throws {
    await Task.yield()
    XCTAssertEqual(xctestPod.resolve(serviceProvider).api.name(), "mock")
  }

  func testEachTestStartsAfresh1() {
    expectUntouched()
  }

  func testEachTestStartsAfresh2() {
    expectUntouched()
  }

  func testRecordsWhatIsBuilt() {
    let recorder = ResolutionRecorder(observing: xctestPod)
    _ = xctestPod.resolve(serviceProvider)
    XCTAssertEqual(recorder.builds.map(\.name), ["api", "config", "service"])
  }

  private func expectUntouched(file: StaticString = #filePath, line: UInt = #line) {
    XCTAssertFalse(xctestPod.isCached(numberProvider), file: file, line: line)
    XCTAssertEqual(xctestPod.resolve(numberProvider), -1, file: file, line: line)
    xctestPod.overrideProvider(numberProvider, withValue: 1)
    XCTAssertEqual(xctestPod.resolve(numberProvider), 1, file: file, line: line)
  }
}

private let xctestPod = Pod("xctest")
