import Peapod

extension Row {
  /// What it takes to look at a large graph: under a second for each drawing.
  static var drawings: [Row] {
    let texts: [(String, @Sendable (ProviderGraph) -> Int)] = [
      ("the snapshot", { $0.nodes.count }),
      ("the snapshot as Mermaid", { $0.mermaid().utf8.count }),
      ("the snapshot as DOT", { $0.dot().utf8.count }),
      ("the snapshot as a tree", { $0.description.utf8.count }),
      ("the snapshot as a table of costs", { $0.costReport().utf8.count }),
    ]
    let whole = texts.map { name, draw in
      Row("draw a graph of 10,000 nodes and 30,000 edges", name, limit: .time(.seconds(1))) { _ in
        let pod = Pod()
        let providers = Graphs.woven(10_000)
        for provider in providers { _ = pod.resolve(provider) }
        var length = 0
        let times = (0..<3).map { _ in ContinuousClock().measure { length += draw(pod.graph) } }
        guard length > 0 else { fatalError("\(name) is empty") }
        let best = times.min() ?? .zero
        withExtendedLifetime(providers) {}
        return Measurement(.nanoseconds(best / .nanoseconds(1)))
      }
    }
    return whole + [ofManyChildren]
  }

  /// The drawings of a server with many requests: a child that has little of its own costs little.
  private static var ofManyChildren: Row {
    Row(
      "draw a graph of 10,000 nodes and 1,000 child pods", "the tree, Mermaid, and the difference from itself",
      limit: .time(.seconds(1))
    ) { _ in
      struct RequestScope: ProviderScope {}
      let (pod, own) = (Pod(), Provider(scope: RequestScope()) { _ in 1 })
      let providers = Graphs.woven(10_000)
      for provider in providers { _ = pod.resolve(provider) }
      let children = (0..<1_000).map { pod.makeChild("request \($0)", owning: [RequestScope()]) }
      for child in children { _ = child.resolve(own) }
      let graph = pod.graph
      var length = 0
      let times = (0..<3).map { _ in
        ContinuousClock().measure {
          length += graph.description.utf8.count + graph.mermaid().utf8.count
          guard graph.difference(from: graph).isEmpty else { fatalError("a graph differs from itself") }
        }
      }
      guard length > 0 else { fatalError("the drawings are empty") }
      withExtendedLifetime((providers, children)) {}
      return Measurement(.nanoseconds((times.min() ?? .zero) / .nanoseconds(1)))
    }
  }
}
