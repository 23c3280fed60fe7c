import Testing

/// The findings about a pod at the end of its test case.
struct PodFindings {
  struct Issue {
    let text: String
    let sourceLocation: SourceLocation
  }

  /// The issues that were found.
  var issues: [Issue] = []

  /// The instances that must be deallocated after the pod; empty unless the test is strict about them.
  var instances = InstanceSnapshot()

  mutating func add(_ text: String, at sourceLocation: SourceLocation) {
    issues.append(Issue(text: text, sourceLocation: sourceLocation))
  }
}
