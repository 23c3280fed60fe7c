extension ProgramGraph {
  /// The number of providers and dependencies, and of uses that the source does not explain.
  package var summary: String {
    let own = sorted.filter(\.isOwn)
    let edges = own.flatMap(\.edges)
    let passed = edges.count { $0.use == .passed }
    let dependencies = edges.count(where: \.isDependency)
    return "\(own.count) provider\(own.count == 1 ? "" : "s"), "
      + "\(dependencies) \(dependencies == 1 ? "dependency" : "dependencies")"
      + (passed == 0 ? "" : ", \(passed) use\(passed == 1 ? "" : "s") of providers that cannot be followed")
  }
}
