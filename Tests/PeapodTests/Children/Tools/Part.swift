/// An instance with a label and the parts that it was built from, counted in a census where one is given.
final class Part: Sendable, CustomStringConvertible {
  let label: String
  let parts: [Part]
  private let census: Census?

  init(_ label: String, _ parts: [Part] = [], in census: Census? = nil) {
    self.label = label
    self.parts = parts
    self.census = census
    census?.enter()
  }

  deinit { census?.leave() }

  /// The label, followed by those of the parts in brackets: `page(header,body(text))`.
  var recipe: String {
    parts.isEmpty ? label : "\(label)(\(parts.map(\.recipe).joined(separator: ",")))"
  }

  var description: String { recipe }
}
