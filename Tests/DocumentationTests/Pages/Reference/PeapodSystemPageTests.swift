// snippet: PeapodSystem overview
import Foundation
import Peapod
import PeapodSystem
// end
import Testing

@Suite("The documentation of PeapodSystem", .transcript)
struct PeapodSystemPageTests {
  @Test("It begins with a program that runs")
  func overview() throws {
    // snippet: PeapodSystem overview
    let pod = Pod()
    pod.useDeterministicSystem(now: Date(timeIntervalSince1970: 0), seed: 1)
    print(pod.resolve(.date).now.timeIntervalSince1970, pod.resolve(.uuid)())
    // end
    try expectOutput(of: "PeapodSystem overview")
  }
}
