import Peapod

/// Providers that build each other, declared in a loop, and the same instances wired by hand.
enum Graphs {
  /// Declares a chain in which each provider builds the one before it; the last one is the root.
  static func deep(_ size: Int) -> [Provider<Node>] {
    var providers = [Provider { _ in Node(nil) }]
    providers.reserveCapacity(size)
    while let previous = providers.last, providers.count < size {
      providers.append(Provider { pod in Node(pod.resolve(previous)) })
    }
    return providers
  }

  /// Declares providers that each ask for three before them, so that the graph is deep and wide.
  static func woven(_ size: Int) -> [Provider<Int>] {
    var providers: [Provider<Int>] = []
    for index in 0..<size {
      let lower =
        index == 0 ? [] : [providers[index - 1], providers[index / 2], providers[index * 7 % max(1, index - 1)]]
      providers.append(Provider("node\(index)") { pod in lower.reduce(1) { ($0 + pod.resolve($1)) % 1_000 } })
    }
    return providers
  }

  /// Declares providers that depend on nothing, and one that depends on all of them.
  static func wide(_ size: Int) -> Provider<Hub> {
    let leaves = (1..<size).map { _ in Provider { _ in Node(nil) } }
    return Provider { pod in Hub(leaves.map { pod.resolve($0) }) }
  }

  /// Wires a chain by hand, with one allocation for each instance.
  @inline(never) static func wireDeep(_ size: Int) -> Node {
    var node = Node(nil)
    for _ in 1..<size { node = Node(node) }
    return node
  }

  /// Wires a wide graph by hand, with one allocation for each instance and one for the array.
  @inline(never) static func wireWide(_ size: Int) -> Hub {
    Hub((1..<size).map { _ in Node(nil) })
  }

  /// Lets providers of a chain go one after the other: at once, each would end inside the end of the next.
  static func release(_ providers: consuming [Provider<Node>]) {
    while !providers.isEmpty { providers.removeLast() }
  }
}
