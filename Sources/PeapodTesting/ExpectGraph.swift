import Peapod
import Testing

/// Expects that the graph of a pod is the one in a text file beside the test.
///
/// The file is `Graphs/<name>.txt` in the directory of the test's source file. It lists, sorted and without line numbers
/// or durations, what the pod and its children have built, the scope of each provider, overrides, and what each asked
/// for; so it changes when the graph does, and not when a file is reformatted. A difference is an issue that shows it
/// line by line; a missing file is an issue too. With the environment variable `PEAPOD_RECORD_GRAPHS` set to anything but
/// `0` the file is written instead of compared, and a warning says so.
///
/// ```swift
/// @Test(.pod) func theGraphOfCheckout() {
///   _ = Pod.current.resolve(checkoutProvider)
///   expectGraph(of: .current, matches: "Checkout")
/// }
/// ```
///
/// Exclude the directory from the test target in `Package.swift` (`exclude: ["Graphs"]`), since its files are no sources.
/// The test must run where it was compiled: it reads the file at the path that the compiler saw.
///
/// - Parameters:
///   - pod: The pod whose graph is compared.
///   - name: The name of the file, without its ending.
///   - sourceLocation: The place of the test, beside which the file lies, and where to record an issue.
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
