extension Pod {
  /// A snapshot of the dependency graph: the providers of this pod, their dependencies, and the child pods.
  ///
  /// The graph of a child also has the instances that it shares with its ancestors.
  ///
  /// - Complexity: O(records). Takes the engine's lock for that long; sorting is done without it.
  public var graph: ProviderGraph {
    Engine.locked { aftermath in
      GraphDraft(chainOf: actingLayer(&aftermath), &aftermath)
    }.finished()
  }

  /// The class instances that this pod built and caches, with their providers.
  package func instances() -> [(info: ProviderInfo, object: AnyObject?)] {
    Engine.locked { aftermath in
      var found: [(info: ProviderInfo, object: AnyObject?)] = []
      actingLayer(&aftermath).forEachRecord { entry in
        guard entry.isLive(&aftermath), !entry.isGiven else { return }
        found.append((entry.info, entry.value.flatMap { entry.declaration.object(in: $0) } ?? entry.weakObject))
      }
      return found
    }
  }

  /// The overrides of this pod that no resolve has used.
  package func unresolvedOverrides() -> [ProviderInfo] {
    Engine.locked { aftermath in
      actingLayer(&aftermath).overrides.values.map(\.object).filter { $0.origin == nil && !$0.isUsed }.map(\.info)
    }
  }

  /// Whether a resolve in this pod would use an override.
  package func isOverridden(_ provider: some ProviderProtocol) -> Bool {
    provider.id.declaration.map { isOverridden($0) } ?? false
  }

  /// Whether a resolve of any member in this pod would use an override of the family.
  package func isOverridden<Member, each Argument>(_ family: ProviderFamily<Member, repeat each Argument>) -> Bool {
    isOverridden(family.family)
  }

  private func isOverridden(_ declaration: Declaration) -> Bool {
    Engine.locked { aftermath in
      actingLayer(&aftermath).override(of: declaration, after: nil) != nil
    }
  }
}

extension ProviderFamily {
  /// The description of the whole family.
  package var info: ProviderInfo { ProviderInfo(family, scope: family.scope) }
}

/// The unsorted contents of a graph, collected under the lock and sorted without it.
private struct GraphDraft {
  private var nodes: [ProviderGraph.Node] = []
  private var edges: [ProviderGraph.Edge] = []
  private var captives: [ProviderGraph.CaptiveDependency] = []
  private var children: [GraphDraft] = []
  private var scopes: [ObjectIdentifier: ScopeIdentity] = [:]
  private let name: String

  /// Collects what the pod of a layer sees, with its descendants.
  init(chainOf layer: Layer, _ aftermath: inout Aftermath) {
    name = layer.name
    var known: Set<ObjectIdentifier> = []
    var next: Layer? = layer
    while let current = next {
      add(current, as: layer, &known, &aftermath)
      next = current.parent
    }
    addChildren(of: layer, &aftermath)
  }

  /// Collects what lives in one layer, with its descendants.
  private init(own layer: Layer, _ aftermath: inout Aftermath) {
    name = layer.name
    var known: Set<ObjectIdentifier> = []
    add(layer, as: layer, &known, &aftermath)
    addChildren(of: layer, &aftermath)
  }

  private mutating func addChildren(of layer: Layer, _ aftermath: inout Aftermath) {
    var child = layer.firstChild
    while let current = child {
      children.append(GraphDraft(own: current, &aftermath))
      child = current.nextSibling
    }
  }

  private mutating func add(
    _ layer: Layer, as view: Layer, _ known: inout Set<ObjectIdentifier>, _ aftermath: inout Aftermath
  ) {
    var records: [ObjectIdentifier: [Entry]] = [:]
    layer.forEachRecord { records[ObjectIdentifier($0.declaration), default: []].append($0) }
    for entries in records.values {
      let declaration = entries[0].declaration
      guard known.insert(ObjectIdentifier(declaration)).inserted else { continue }
      let override = view.override(of: declaration, after: nil)
      let right = entries.filter { $0.isMade(by: override) }
      let live = right.filter { $0.isLive(&aftermath) && view.sees($0) }.max { $0.serial < $1.serial }
      let current = live ?? right.max { $0.serial < $1.serial }
      append(declaration, override?.object, current, isCached: live != nil)
      // A decorator asks for what it replaces: that is a record of the same provider, and no edge of the drawing.
      let shown = declaration.scope.kind == .alwaysCreateNew ? right : [current].compactMap(\.self)
      for edge in shown.flatMap(\.dependencies) where !edge.entry.isOf(declaration) {
        edges.append(
          ProviderGraph.Edge(
            dependent: ProviderID(declaration, isBound: false),
            dependency: ProviderID(edge.entry.declaration, isBound: false), isDeferred: edge.isDeferred))
      }
    }
    for override in layer.overrides.values.map(\.object)
    where known.insert(ObjectIdentifier(override.target)).inserted {
      append(override.target, override, nil, isCached: false)
    }
    captives.append(contentsOf: layer.captives.values)
  }

  private mutating func append(_ declaration: Declaration, _ override: Override?, _ entry: Entry?, isCached: Bool) {
    let scope = override?.ownScope ?? declaration.scope
    scopes[ObjectIdentifier(scope)] = scope
    nodes.append(
      ProviderGraph.Node(
        provider: ProviderInfo(declaration, scope: scope), isCached: isCached,
        isOverridden: override != nil, buildCount: entry?.buildCount ?? 0,
        inclusiveDuration: entry?.inclusive ?? .zero, exclusiveDuration: entry?.exclusive ?? .zero,
        ranOnMainActor: entry?.ranOnMain ?? false))
  }

  /// Returns the sorted graph.
  ///
  /// The caller does not hold the lock, because this function reads the children of scopes.
  func finished(above outer: Set<ProviderID> = []) -> ProviderGraph {
    let sorted = nodes.sorted { ($0.provider, $0.id.description) < ($1.provider, $1.id.description) }
    var order: [ProviderID: Int] = [:]
    for (index, node) in sorted.enumerated() { order[node.id] = index }
    let all = outer.union(order.keys)
    // What handles and direct requests ask for alike is asked for directly.
    let direct = Set(edges.filter { !$0.isDeferred })
    let unique = Set(
      edges.filter { edge in
        all.contains(edge.dependency)
          && !(edge.isDeferred
            && direct.contains(
              ProviderGraph.Edge(dependent: edge.dependent, dependency: edge.dependency, isDeferred: false)))
      })
    return ProviderGraph(
      name: name, nodes: sorted,
      edges: unique.sorted {
        (order[$0.dependent] ?? .max, order[$0.dependency] ?? .max, $0.dependency.description)
          < (order[$1.dependent] ?? .max, order[$1.dependency] ?? .max, $1.dependency.description)
      },
      captiveDependencies: captives.sorted {
        ($0.dependent, $0.dependency, $0.dependent.id.description)
          < ($1.dependent, $1.dependency, $1.dependent.id.description)
      },
      children: children.map { $0.finished(above: all) }.sorted { ($0.name, $0.sortKey) < ($1.name, $1.sortKey) },
      parentScopes: parentScopes())
  }

  private func parentScopes() -> [String: String] {
    var parents: [String: String] = [:]
    for scope in scopes.values.sorted(by: { $0.name < $1.name }) where scope.kind == .custom {
      for child in scope.scope.children {
        let name = ScopeIdentity.of(child).name
        guard parents[name] == nil, name != scope.name else { continue }
        // A scope that is below itself is drawn at the top.
        var ancestor: String? = scope.name
        while let current = ancestor, current != name { ancestor = parents[current] }
        if ancestor == nil { parents[name] = scope.name }
      }
    }
    return parents
  }
}

extension ProviderGraph {
  /// A key that orders pods of one name.
  fileprivate var sortKey: String { nodes.map(\.provider.name).joined(separator: ",") }
}

extension ProviderInfo: Comparable {
  /// Returns whether one provider is declared before another.
  public static func < (left: ProviderInfo, right: ProviderInfo) -> Bool {
    (left.fileID, left.line, left.name) < (right.fileID, right.line, right.name)
  }
}
