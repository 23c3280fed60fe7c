import Peapod
import Testing

/// Expects that a pod's dependency graph is equal to a text file beside the test.
///
/// The file is `Graphs/<name>.txt` in the folder of the test's source file. It lists the providers that the pod and its
/// children have built, with scopes, overrides and dependencies. The list is sorted and has no line numbers or durations.
/// A difference is an issue that shows the lines that differ. A missing file is an issue too.
///
/// If the environment variable `PEAPOD_RECORD_GRAPHS` is set to anything but `0`, the function writes the file and records
/// a warning.
///
/// ```swift
/// @Test(.pod) func theGraphOfCheckout() {
///   _ = Pod.current.resolve(checkoutProvider)
///   expectGraph(of: .current, matches: "Checkout")
/// }
/// ```
///
/// Exclude the folder from the test target in `Package.swift` with `exclude: ["Graphs"]`. The test must run where it was
/// compiled, because it reads the file at the path that the compiler saw.
///
/// - Parameters:
///   - pod: The pod whose graph to compare.
///   - name: The name of the file without its extension.
///   - sourceLocation: The place of the test, for the path of the file and for issues.
/// - Complexity: O(*n* log *n*) in the size of the graph when it matches.
public func expectGraph(
  of pod: Pod, matches name: String, sourceLocation: SourceLocation = #_sourceLocation
) {
  let file = GraphFile(name: name, beside: sourceLocation.filePath)
  let graph = GraphText(pod.graph)
  do throws(GraphFile.Failure) {
    if GraphFile.isRecording {
      try file.write(graph.text)
      record(IssueText.recordedGraph(path: file.path), severity: .warning)
    } else if let expected = try file.read().map(GraphText.init(text:)) {
      if expected != graph {
        let difference = LineDifference(from: expected.lines, to: graph.lines)
        record(IssueText.differentGraph(name: name, difference: difference.description))
      }
    } else {
      record(IssueText.missingGraph(path: file.path, graph: graph.text))
    }
  } catch {
    record(IssueText.fileFailure(error))
  }

  func record(_ text: String, severity: Issue.Severity = .error) {
    Issue.record(Comment(rawValue: text), severity: severity, sourceLocation: sourceLocation)
  }
}
