/// The nodes and edges of a pod and its descendants at one moment, made without locks from what each `SnapshotLevel` copied.
struct GraphSnapshot {
  private let name: String
  private var nodes: [ProviderGraph.Node] = []
  private var edges: [ProviderGraph.Edge] = []
  /// The captive dependencies, by the numbers of both providers.
  private var captives: [[UInt64]: ProviderGraph.CaptiveDependency] = [:]
  private var children: [GraphSnapshot] = []
  /// The scopes of the user.
  private var scopes: [ObjectIdentifier: NamedScope] = [:]
  private var known: Set<ObjectIdentifier> = []
  /// The providers whose nodes are in an ancestor.
  private var above: Set<ObjectIdentifier> = []
  /// Dependencies that may be in no table, but are shown with their own dependencies.
  private var further: [Instance] = []

  /// The snapshot of a pod, with the instances of its ancestors, and its descendants.
  ///
  /// Reads the children of scopes, which is user code, for the captive dependencies.
  init(of view: PodState) {
    name = view.name
    // Then the mask of most shared instances tells that they are shared.
    if !view.isRoot { view.root.refreshMasks() }
    add(view.selfAndAncestors.map { SnapshotLevel($0) }, as: view)
    addFurther()
    addChildren(of: view)
  }

  /// The snapshot of a descendant, with its own descendants.
  private init(descendant state: PodState, known: Set<ObjectIdentifier>) {
    name = state.name
    above = known
    add([SnapshotLevel(state)], as: state, isDescendant: true)
    addFurther()
    addChildren(of: state)
  }

  private mutating func addChildren(of state: PodState) {
    let all = state.allChildren.filter { $0.successor == nil }
    guard !all.isEmpty else { return }
    let known = above.union(known)
    children = all.map { GraphSnapshot(descendant: $0, known: known) }
  }

  /// Adds the nodes of a pod and its ancestors.
  ///
  /// The instances that the pod would resolve come first: a nearer pod may have only a record of the provider, or a hidden instance.
  private mutating func add(_ levels: [SnapshotLevel], as view: PodState, isDescendant: Bool = false) {
    let rest = levels.map { addShared(of: $0, as: view) }
    for (level, rest) in zip(levels, rest) {
      for other in rest where other.latest != nil && known.insert(ObjectIdentifier(other.declaration)).inserted {
        append(other.declaration, other.override, other.latest)
      }
      addOthers(level, as: view)
    }
    for other in rest.joined() where !known.contains(ObjectIdentifier(other.declaration)) {
      // The ancestor that has the override shows the provider.
      if let override = other.override, isDescendant, !view.isOwner(of: override),
        override.target === other.declaration || above.contains(ObjectIdentifier(other.declaration))
      {
        continue
      }
      known.insert(ObjectIdentifier(other.declaration))
      append(other.declaration, other.override)
    }
  }

  private typealias Other = (declaration: Declaration, override: Override?, latest: SnapshotLevel.Entry?)

  /// Adds the instances that the pod would resolve; returns the other providers, with the latest instance that has the right definition.
  private mutating func addShared(of level: SnapshotLevel, as view: PodState) -> [Other] {
    var rest: [Other] = []
    // The instances of one provider follow one another.
    var start = 0
    while start < level.instances.count {
      let declaration = level.instances[start].instance.declaration
      var end = start + 1
      while end < level.instances.count, level.instances[end].instance.declaration === declaration { end += 1 }
      let group = level.instances[start..<end]
      start = end
      guard !known.contains(ObjectIdentifier(declaration)) else { continue }
      let override = view.definition(of: declaration)
      let right = group.filter { $0.instance.definition === override }.sorted { $0.figures.serial > $1.figures.serial }
      if let latest = right.first(where: { $0.isCached && isShared($0.instance, by: view) }) {
        known.insert(ObjectIdentifier(declaration))
        append(declaration, override, latest, isCached: true)
      } else {
        rest.append((declaration, override, right.first))
      }
    }
    return rest
  }

  private mutating func addOthers(_ level: SnapshotLevel, as view: PodState) {
    for record in level.cleared {
      guard let declaration = record.declaration else { continue }
      let override = view.definition(of: declaration)
      guard record.isOf(override), known.insert(ObjectIdentifier(declaration)).inserted else { continue }
      append(record, declaration, override)
    }
    for override in level.overrides where known.insert(ObjectIdentifier(override.target)).inserted {
      append(override.target, override)
    }
    captives.merge(level.captives) { $1 }
    // The pod may have forgotten the pair of a cached instance, or is about to find it.
    var trees: CaptiveDependencies.ScopeTrees = [:]
    for entry in level.instances where entry.isCached && CaptiveDependencies.mayExist(for: entry.instance) {
      for pair in CaptiveDependencies.find(for: entry.instance, &trees) { captives[pair.numbers] = pair.found }
    }
  }

  private func isShared(_ instance: Instance, by view: PodState) -> Bool {
    let home = instance.home
    // A pod below the home may own the scope.
    guard home.isBelow(orSame: view.home(of: instance.definition, instance.scope.identity)) else { return false }
    return instance.isShared(by: view) || view.shares(instance)
  }

  private mutating func append(_ record: ClearedRecord, _ declaration: Declaration, _ override: Override?) {
    append(declaration, override)
    guard let last = nodes.indices.last else { return }
    nodes[last].buildCount = Int(record.buildCount)
    nodes[last].inclusiveDuration = .nanoseconds(Int64(record.inclusive))
    nodes[last].exclusiveDuration = .nanoseconds(Int64(record.exclusive))
    nodes[last].ranOnMainActor = record.flags.contains(.ranOnMain)
    for dependency in record.knownDependencies {
      edges.append(
        ProviderGraph.Edge(
          dependent: nodes[last].id, dependency: ProviderID(dependency.declaration, isBound: false),
          isDeferred: dependency.isDeferred))
    }
  }

  /// Adds nodes for dependencies that no table has: deferred dependencies, and instances of inner pods.
  private mutating func addFurther() {
    while let instance = further.popLast() {
      guard !above.contains(ObjectIdentifier(instance.declaration)) else { continue }
      guard known.insert(ObjectIdentifier(instance.declaration)).inserted else { continue }
      let figures = instance.home.withLock { held in instance.figures(held) }
      let override = instance.definition ?? instance.home.definition(of: instance.declaration)
      append(instance.declaration, override, (instance, false, nil, figures))
    }
  }

  private mutating func append(
    _ declaration: Declaration, _ override: Override?, _ entry: SnapshotLevel.Entry? = nil, isCached: Bool = false
  ) {
    let (instance, build, figures) = (entry?.instance, entry?.build, entry?.figures)
    let scope = override?.ownScope ?? declaration.scope
    if scope.identity.kind == .custom { scopes[ObjectIdentifier(scope.identity)] = scope }
    nodes.append(
      ProviderGraph.Node(
        provider: ProviderInfo(declaration, scope: scope), isCached: isCached, isOverridden: override != nil,
        buildCount: Int(figures?.buildCount ?? 0), inclusiveDuration: .nanoseconds(Int64(figures?.inclusive ?? 0)),
        exclusiveDuration: .nanoseconds(Int64(figures?.exclusive ?? 0)),
        ranOnMainActor: instance?.flags.contains(.ranOnMain) ?? false))
    // A decorator and what it resolved of its own provider are one node.
    for dependency in (build?.dependencies ?? instance?.dependencies ?? []).withOriginals(of: declaration) {
      edges.append(
        ProviderGraph.Edge(
          dependent: ProviderID(declaration, isBound: false),
          dependency: ProviderID(dependency.declaration, isBound: false), isDeferred: dependency.isDeferred))
      switch dependency {
      case .instance(let other): further.append(other)
      case .crossPod(let instance, _): further.append(instance)
      case .deferred(let question):
        let pod = question.pod ?? build?.home ?? instance!.home
        further.append(
          Instance(question.declaration, pod.definition(of: question.declaration), in: pod, .record))
      }
    }
  }
}

extension GraphSnapshot {
  /// Returns the sorted graph.
  ///
  /// Reads the children of scopes, which is user code.
  func graph() -> ProviderGraph { sorted(below: [:]).graph }

  /// A graph, with the positions of its edges.
  private struct Sorted {
    let graph: ProviderGraph
    let edges: [EdgeKey]
    let children: [Sorted]

    /// All that diagrams show of a graph, to sort graphs with one name.
    var key: String {
      let nodes = graph.nodes.map { "\($0.provider.name) \($0.provider.scope) \($0.isCached) \($0.isOverridden)" }
      let edges = edges.map { "\($0.dependent) \($0.dependency) \($0.isDeferred)" }
      return (nodes + edges + children.map(\.key)).joined(separator: ",")
    }

    /// Sorts graphs by name, and those of one name by their keys.
    static func inOrder(_ graphs: [Sorted]) -> [Sorted] {
      Dictionary(grouping: graphs, by: \.graph.name).sorted { $0.key < $1.key }.flatMap { _, alike in
        let keys = alike.count == 1 ? [""] : alike.map(\.key)
        return zip(alike, keys).sorted { $0.1 < $1.1 }.map(\.0)
      }
    }
  }

  /// Returns the sorted graph.
  ///
  /// `outer`: the positions of the nodes of ancestors.
  private func sorted(below outer: [ProviderID: Int]) -> Sorted {
    let sorted = sortedNodes
    var order: [ProviderID: Int] = [:]
    order.reserveCapacity(sorted.count)
    for (index, node) in sorted.enumerated() { order[node.id] = index }
    let all =
      children.isEmpty ? [:] : outer.mapValues { $0 + order.count }.merging(order) { _, own in own }
    let edges = sortedEdges(order, outer)
    let below = Sorted.inOrder(children.map { $0.sorted(below: all) })
    let graph = ProviderGraph(
      name: name, nodes: sorted, edges: edges.map(\.edge),
      captiveDependencies: captives.values.sorted {
        ($0.dependent, $0.dependency) < ($1.dependent, $1.dependency)
      },
      children: below.map(\.graph), parentScopes: parentScopes())
    return Sorted(graph: graph, edges: edges.map(\.key), children: below)
  }

  /// The nodes in the order of their declarations.
  ///
  /// Positions are sorted, since moving a node changes many reference counts.
  private var sortedNodes: [ProviderGraph.Node] {
    nodes.indices.sorted { nodes[$0].provider < nodes[$1].provider }.map { nodes[$0] }
  }

  /// An edge by the positions of its nodes; the nodes of ancestors follow the nodes of the pod.
  private struct EdgeKey {
    let dependent: Int
    let dependency: Int
    let isDeferred: Bool
    let position: Int
  }

  /// The edges between nodes, and to nodes of ancestors, each once; a direct edge replaces a deferred edge.
  private func sortedEdges(_ order: [ProviderID: Int], _ outer: [ProviderID: Int])
    -> [(key: EdgeKey, edge: ProviderGraph.Edge)]
  {
    var keys: [EdgeKey] = []
    keys.reserveCapacity(edges.count)
    for (position, edge) in edges.enumerated() {
      guard let dependency = order[edge.dependency] ?? outer[edge.dependency].map({ $0 + order.count }) else {
        continue
      }
      let dependent = order[edge.dependent] ?? .max
      keys.append(
        EdgeKey(dependent: dependent, dependency: dependency, isDeferred: edge.isDeferred, position: position))
    }
    keys.sort { left, right in
      if left.dependent != right.dependent { return left.dependent < right.dependent }
      if left.dependency != right.dependency { return left.dependency < right.dependency }
      return !left.isDeferred && right.isDeferred
    }
    var sorted: [(key: EdgeKey, edge: ProviderGraph.Edge)] = []
    sorted.reserveCapacity(keys.count)
    for key in keys {
      let edge = edges[key.position]
      if let last = sorted.last?.edge, last.dependent == edge.dependent, last.dependency == edge.dependency { continue }
      sorted.append((key, edge))
    }
    return sorted
  }

  private func parentScopes() -> [String: String] {
    var parents: [String: String] = [:]
    for scope in scopes.values.sorted(by: { $0.identity.name < $1.identity.name }) {
      for child in scope.value.children {
        let (name, parent) = (ScopeIdentity.of(child).name, scope.identity.name)
        guard parents[name] == nil, name != parent else { continue }
        // A scope that is its own descendant is drawn at the top.
        var ancestor: String? = parent
        while let current = ancestor, current != name { ancestor = parents[current] }
        if ancestor == nil { parents[name] = parent }
      }
    }
    return parents
  }
}
