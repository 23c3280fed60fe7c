import Peapod

/// A picture of a graph in SVG: rows of boxes, each above what it was built from.
struct GraphPicture {
  private static let boxHeight = 26
  private static let rowHeight = 80
  private static let gap = 16

  private struct Box {
    let node: ProviderGraph.Node
    let x: Int
    let y: Int
    let width: Int

    var centre: Int { x + width / 2 }
  }

  private let edges: [ProviderGraph.Edge]
  private let boxes: [Box]
  private let width: Int
  private let height: Int

  init(of graph: ProviderGraph) {
    edges = graph.edges
    let rows = Self.rows(of: graph)
    let widths = rows.map { row in row.map { Self.width(of: $0) + Self.gap }.reduce(Self.gap, +) }
    let width = widths.max() ?? 0
    self.width = width
    height = rows.count * Self.rowHeight
    boxes = zip(rows, widths).enumerated().flatMap { number, row in
      var x = (width - row.1) / 2 + Self.gap
      return row.0.map { node in
        defer { x += Self.width(of: node) + Self.gap }
        return Box(node: node, x: x, y: number * Self.rowHeight + Self.gap, width: Self.width(of: node))
      }
    }
  }

  var svg: String {
    let byID = Dictionary(boxes.map { ($0.node.id, $0) }, uniquingKeysWith: { first, _ in first })
    let lines = edges.compactMap { edge -> String? in
      guard let from = byID[edge.dependent], let to = byID[edge.dependency] else { return nil }
      return "<line x1=\"\(from.centre)\" y1=\"\(from.y + Self.boxHeight)\" x2=\"\(to.centre)\" y2=\"\(to.y)\""
        + (edge.isDeferred ? " class=\"deferred\"" : "") + "/>"
    }
    let rectangles = boxes.map { box in
      "<rect x=\"\(box.x)\" y=\"\(box.y)\" width=\"\(box.width)\" height=\"\(Self.boxHeight)\" rx=\"4\""
        + (box.node.isOverridden ? " class=\"overridden\"" : "") + "/>"
        + "<text x=\"\(box.centre)\" y=\"\(box.y + 17)\">\(box.node.provider.name.escaped)</text>"
    }
    let size = "width=\"\(width)\" height=\"\(height)\" viewBox=\"0 0 \(width) \(height)\""
    return "<svg \(size) role=\"img\">\n\((lines + rectangles).joined(separator: "\n"))\n</svg>"
  }

  private static func width(of node: ProviderGraph.Node) -> Int { node.provider.name.count * 7 + 20 }

  /// The nodes by how many others are above them, on the longest way.
  private static func rows(of graph: ProviderGraph) -> [[ProviderGraph.Node]] {
    // A deferred dependency does not decide the row, and may lead back to its dependent.
    let edges = graph.edges.filter { !$0.isDeferred }
    var depths: [ProviderID: Int] = [:]
    // No way is longer than there are nodes.
    for _ in graph.nodes {
      for edge in edges {
        depths[edge.dependency] = max(depths[edge.dependency] ?? 0, (depths[edge.dependent] ?? 0) + 1)
      }
    }
    let deepest = graph.nodes.map { depths[$0.id] ?? 0 }.max() ?? -1
    return (0..<(deepest + 1)).map { depth in graph.nodes.filter { (depths[$0.id] ?? 0) == depth } }
  }
}
