extension ProgramGraph {
  /// The number of providers and dependencies, and of uses that the source does not explain.
  package var summary: String {
    let own = sorted.filter(\.isOwn)
    let edges = own.flatMap(\.edges)
    let passed = edges.count { $0.use == .passed }
    return "\(own.count) providers, \(edges.count(where: \.isDependency)) dependencies"
      + (passed == 0 ? "" : ", \(passed) uses of providers that cannot be followed")
  }
}
