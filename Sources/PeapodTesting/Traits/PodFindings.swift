import Testing

/// The findings about a pod at the end of its test case.
struct PodFindings {
  struct Issue {
    let text: String
    let sourceLocation: SourceLocation
  }

  /// The issues that were found.
  var issues: [Issue] = []

  /// The instances that must be deallocated after the pod.
  ///
  /// The snapshot is empty unless the test checks for leaked instances.
  var instances = InstanceSnapshot()

  mutating func add(_ text: String, at sourceLocation: SourceLocation) {
    issues.append(Issue(text: text, sourceLocation: sourceLocation))
  }
}
