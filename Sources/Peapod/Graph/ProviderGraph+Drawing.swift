extension ProviderGraph {
  // MARK: - Diagrams

  /// Returns the graph as a Mermaid flowchart.
  ///
  /// Each scope is a box that contains the boxes of its children. Deferred dependencies are dashed. Overridden
  /// providers and captive dependencies are marked. Child pods are boxes of their own.
  ///
  /// - Complexity: O((nodes + edges) log nodes).
  /// - Returns: The text of the diagram without durations, so equal runs give equal text.
  public func mermaid() -> String {
    var drawing = Drawing(MermaidSyntax())
    return drawing.text(of: self)
  }

  /// Returns the graph in the DOT language of Graphviz, with the same content as ``mermaid()``.
  ///
  /// - Complexity: O((nodes + edges) log nodes).
  /// - Returns: The text of the diagram without durations.
  public func dot() -> String {
    var drawing = Drawing(DotSyntax())
    return drawing.text(of: self)
  }
}

/// The syntax of a diagram language.
private protocol DrawingSyntax {
  var header: [String] { get }
  var footer: [String] { get }
  func node(_ key: String, _ node: ProviderGraph.Node) -> String
  func edge(_ from: String, _ to: String, isDeferred: Bool) -> String
  func captive(_ from: String, _ to: String) -> String
  func boxBegin(_ key: String, _ title: String) -> String
  var boxEnd: String { get }
}

/// A diagram that is being written.
private struct Drawing<Syntax: DrawingSyntax> {
  private let syntax: Syntax
  private var lines: [String] = []
  private var links: [String] = []
  private var nodeCount = 0
  private var boxCount = 0

  init(_ syntax: Syntax) { self.syntax = syntax }

  mutating func text(of graph: ProviderGraph) -> String {
    lines = syntax.header
    add(graph, keys: nil, depth: 1)
    return (lines + links.map { "  " + $0 } + syntax.footer).joined(separator: "\n") + "\n"
  }

  private mutating func add(_ graph: ProviderGraph, keys ancestors: LayeredTable<ProviderID, String>?, depth: Int) {
    var own: [ProviderID: String] = [:]
    for node in graph.nodes {
      own[node.id] = "n\(nodeCount)"
      nodeCount += 1
    }
    addScopes(graph, own, depth: depth)
    let keys = LayeredTable(own, above: ancestors)
    for edge in graph.edges {
      guard let from = keys[edge.dependent], let to = keys[edge.dependency] else { continue }
      links.append(syntax.edge(from, to, isDeferred: edge.isDeferred))
    }
    for captive in graph.captiveDependencies {
      guard let from = keys[captive.dependent.id], let to = keys[captive.dependency.id] else { continue }
      links.append(syntax.captive(from, to))
    }
    for child in graph.children {
      begin("pod \(child.name)", depth)
      add(child, keys: keys, depth: depth + 1)
      line(syntax.boxEnd, depth)
    }
  }

  /// Adds the scopes of one pod as nested boxes.
  private mutating func addScopes(_ graph: ProviderGraph, _ keys: [ProviderID: String], depth: Int) {
    let nodes = Dictionary(grouping: graph.nodes, by: \.provider.scope)
    var inner: [String: [String]] = [:]
    var tops: Set<String> = []
    for scope in nodes.keys {
      var name = scope
      // A scope without nodes of its own has a box if it contains other scopes.
      while let parent = graph.parentScopes[name] {
        inner[parent, default: []].append(name)
        name = parent
      }
      tops.insert(name)
    }
    for scope in tops.sorted() { addScope(scope, nodes, inner, keys, depth) }
  }

  private mutating func addScope(
    _ scope: String, _ nodes: [String: [ProviderGraph.Node]], _ inner: [String: [String]],
    _ keys: [ProviderID: String], _ depth: Int
  ) {
    begin(scope, depth)
    for node in nodes[scope] ?? [] { line(syntax.node(keys[node.id] ?? "", node), depth + 1) }
    for child in Set(inner[scope] ?? []).sorted() { addScope(child, nodes, inner, keys, depth + 1) }
    line(syntax.boxEnd, depth)
  }

  private mutating func begin(_ title: String, _ depth: Int) {
    line(syntax.boxBegin("s\(boxCount)", title), depth)
    boxCount += 1
  }

  private mutating func line(_ text: String, _ depth: Int) {
    lines.append(String(repeating: "  ", count: depth) + text)
  }
}

private struct MermaidSyntax: DrawingSyntax {
  let header = ["flowchart TD"]
  let footer = ["  classDef overridden stroke-dasharray: 4 2,stroke-width: 2px"]
  let boxEnd = "end"

  func node(_ key: String, _ node: ProviderGraph.Node) -> String {
    let place = "\(node.provider.fileID):\(node.provider.line)"
    return "\(key)[\"\(escaped(node.provider.name))<br/>\(escaped(place))\"]"
      + (node.isOverridden ? ":::overridden" : "")
  }

  func edge(_ from: String, _ to: String, isDeferred: Bool) -> String { "\(from) \(isDeferred ? "-.->" : "-->") \(to)" }
  func captive(_ from: String, _ to: String) -> String { "\(from) ==>|captive| \(to)" }
  func boxBegin(_ key: String, _ title: String) -> String { "subgraph \(key)[\"\(escaped(title))\"]" }

  /// Writes entity codes in place of the characters that Mermaid or HTML would interpret.
  private func escaped(_ text: String) -> String {
    text.escaped(
      lineBreak: "<br/>",
      ["\"": "#quot;", "#": "#35;", "<": "#lt;", ">": "#gt;", "&": "#amp;", "`": "#96;", "\\": "#92;"])
  }
}

private struct DotSyntax: DrawingSyntax {
  let header = ["digraph pod {", "  rankdir=TB;", "  node [shape=box];"]
  let footer = ["}"]
  let boxEnd = "}"

  func node(_ key: String, _ node: ProviderGraph.Node) -> String {
    let label = "\(escaped(node.provider.name))\\n\(escaped(node.provider.fileID)):\(node.provider.line)"
    return "\(key) [label=\"\(label)\"\(node.isOverridden ? ", style=dashed, penwidth=2" : "")];"
  }

  func edge(_ from: String, _ to: String, isDeferred: Bool) -> String {
    "\(from) -> \(to)\(isDeferred ? " [style=dashed]" : "");"
  }

  func captive(_ from: String, _ to: String) -> String {
    "\(from) -> \(to) [color=red, penwidth=2, label=\"captive\"];"
  }

  func boxBegin(_ key: String, _ title: String) -> String {
    "subgraph cluster_\(key) { label=\"\(escaped(title))\";"
  }

  private func escaped(_ text: String) -> String {
    text.escaped(lineBreak: "\\n", ["\"": "\\\"", "\\": "\\\\"])
  }
}

extension String {
  /// Replaces line breaks, control characters, and the characters that have codes.
  ///
  /// Diagram programs read scalars: a combining mark after a quote leaves the quote a quote.
  fileprivate func escaped(lineBreak: String, _ codes: [Unicode.Scalar: String]) -> String {
    var result = ""
    var previous: Unicode.Scalar?
    for scalar in unicodeScalars {
      defer { previous = scalar }
      if previous == "\r", scalar == "\n" { continue }
      if Character(scalar).isNewline {
        result += lineBreak
      } else if let code = codes[scalar] {
        result += code
      } else {
        result.unicodeScalars.append(scalar.isControl ? "\u{FFFD}" : scalar)
      }
    }
    return result
  }
}

extension Unicode.Scalar {
  /// Whether this is a control character, which diagram programs reject or do not show.
  fileprivate var isControl: Bool { self != "\t" && (value < 32 || value == 127) }
}
