import Testing

/// What the watch over a pod found by the time that its test case ended.
struct PodFindings {
  struct Issue {
    let text: String
    let sourceLocation: SourceLocation
  }

  /// What is wrong already.
  var issues: [Issue] = []

  /// What must be gone soon after the pod is; empty unless the test is strict about it.
  var instances = InstanceSnapshot()

  mutating func add(_ text: String, at sourceLocation: SourceLocation) {
    issues.append(Issue(text: text, sourceLocation: sourceLocation))
  }
}
