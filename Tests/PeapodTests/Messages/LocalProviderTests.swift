import Foundation
import Peapod
import Testing

/// Rule 1: what debug builds say about a place that declares provider after provider.
@Suite struct LocalProviderTests {
  #if DEBUG
    @Test("R1 a local provider in a loop is not taken for a computed property")
    func inLoop() async throws {
      let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
        let pod = Pod()
        for round in 0..<200 {
          let local = Provider("local", fileID: "App/Loop.swift", line: 17) { _ in round }
          precondition(pod.resolve(local) == round)
        }
      }
      let text = try #require(result).errorText
      let reports = text.components(separatedBy: "App/Loop.swift:17").count - 1
      #expect(reports == 1)
      #expect(!text.contains("is probably a computed property"), "\(text)")
      // The message leaves open which it is, and names both.
      for word in ["computed property", "loop"] { #expect(text.contains(word), "no \(word) in: \(text)") }
    }
  #endif
}
