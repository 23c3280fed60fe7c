import Foundation
import Peapod
import Testing

/// Rule 1, and what debug builds say about places that make provider after provider.
struct DeclarationPlaceTests {
  private enum Mistake {
    static var computed: Provider<Int> {
      Provider("computed", fileID: "App/Computed.swift", line: 17) { _ in 1 }
    }
  }

  private enum Fine {
    static let stored = Provider("stored", fileID: "App/Stored.swift", line: 18) { _ in 1 }
    static let family = Provider.family("family", fileID: "App/Family.swift", line: 19) { (_, id: Int) in id }
  }

  /// How often a text contains another.
  private func occurrences(of part: String, in text: String) -> Int {
    text.components(separatedBy: part).count - 1
  }

  @Test("R1 a computed property makes another provider at each call")
  func computedProperty() {
    #expect(Mistake.computed != Mistake.computed)
  }

  #if DEBUG
    @Test("R1 debug builds report such a place once")
    func reportedOnce() async throws {
      let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
        let pod = Pod()
        for _ in 0..<200 { precondition(pod.resolve(Mistake.computed) == 1) }
      }
      #expect(occurrences(of: "App/Computed.swift:17", in: try #require(result).errorText) == 1)
    }
  #endif

  @Test("R1 stored providers and families are never reported")
  func neverReported() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let pod = Pod()
      for round in 0..<200 {
        precondition(pod.resolve(Fine.stored) == 1)
        precondition(pod.resolve(Fine.family(round)) == round)
        precondition(pod.lazy(Fine.stored).value == 1)
        pod.clearCachedInstance(of: Fine.stored)
      }
    }
    let text = try #require(result).errorText
    #expect(occurrences(of: "App/Stored.swift:18", in: text) == 0)
    #expect(occurrences(of: "App/Family.swift:19", in: text) == 0)
  }
}
