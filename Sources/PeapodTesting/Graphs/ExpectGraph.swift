import Peapod
import Testing

/// Expects that the graph of a pod equals the graph in a text file beside the test.
///
/// The file is `Graphs/<name>.txt` in the directory of the test's source file. It lists what the pod and its child pods
/// have built: the scope of each provider, overrides, and dependencies. The lines are sorted and have neither line numbers
/// nor durations. So the file changes when the graph changes, and not when a source file is reformatted.
///
/// A difference is an issue that lists the providers and dependencies that were added, removed or changed. A missing
/// file is an issue too. With the environment variable `PEAPOD_RECORD_GRAPHS` set to anything but `0`, the function
/// writes the file instead of comparing, and a warning says so.
///
/// ```swift
/// @Test(.pod) func theGraphOfCheckout() {
///   _ = Pod.current.resolve(checkoutProvider)
///   expectGraph(of: .current, matches: "Checkout")
/// }
/// ```
///
/// Exclude the directory from the test target in `Package.swift` (`exclude: ["Graphs"]`), because its files are not sources.
/// The test must run where it was compiled, because it reads the file at the path that the compiler saw.
///
/// - Parameters:
///   - pod: The pod whose graph is compared.
///   - name: The name of the file, without its ending.
///   - sourceLocation: The place of the test, for issues and for the path of the file.
/// - Complexity: O(*n* log *n*) in the size of the graph.
public func expectGraph(
  of pod: Pod, matches name: String, sourceLocation: SourceLocation = #_sourceLocation
) {
  let file = GraphFile(name: name, beside: sourceLocation.path)
  let graph = GraphText(pod.graph)
  do throws(GraphFile.Failure) {
    if GraphFile.isRecording {
      try file.write(graph.text)
      Issue.warn(IssueText.recordedGraph(path: file.path), at: sourceLocation)
    } else if let expected = try file.read().map(GraphText.init(text:)) {
      if let text = differenceText(of: graph, from: expected) { record(text) }
    } else {
      record(IssueText.missingGraph(path: file.path, graph: graph.text))
    }
  } catch {
    record(IssueText.fileFailure(error))
  }

  func differenceText(of graph: GraphText, from expected: GraphText) -> String? {
    if graph == expected { return nil }
    do throws(GraphText.Failure) {
      let difference = try graph.outline().difference(from: expected.outline())
      return difference.isEmpty ? nil : IssueText.differentGraph(name: name, difference: difference.description)
    } catch {
      return IssueText.unreadableGraph(path: file.path, line: error.line)
    }
  }

  func record(_ text: String) {
    Issue.record(Comment(rawValue: text), sourceLocation: sourceLocation)
  }
}
