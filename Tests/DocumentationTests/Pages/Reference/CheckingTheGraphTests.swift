// snippet: Check declare
import Peapod
import PeapodTesting
import Testing

// end

// snippet: Check declare
private struct ScreenScope: ProviderScope {}

private let titleProvider = Provider(scope: ScreenScope()) { _ in "Inbox" }
private let menuProvider = Provider(scope: .alwaysCreateNew) { pod in "Menu of \(pod.resolve(titleProvider))" }
private let windowProvider = Provider { pod in "Window with \(pod.resolve(menuProvider))" }
// end

#if DEBUG && (os(macOS) || os(Linux))
  @Suite("Checking the graph", .findings)
  struct CheckingTheGraphTests {
    // snippet: Check test
    @Test func theGraphIsSound() {
      expectSoundGraph()
    }
    // end

    // snippet: Check comparison
    @Test(.pod) func everyDependencyIsBuilt() throws {
      _ = Pod.current.resolve(windowProvider)
      let difference = Pod.current.graph.difference(fromStatic: try .inSource())
      #expect(difference.hidden.isEmpty && difference.unbuilt.isEmpty, "\(difference)")
    }
    // end
  }
#endif
