import IndexStore

/// A defect, or a possible defect, of the graph.
package struct Finding: Sendable, CustomStringConvertible {
  package enum Severity: String, Sendable {
    case error, warning
  }

  package enum Kind: String, Sendable {
    case captive, cycle, unused
  }

  /// A place in the source.
  package struct Location: Sendable, CustomStringConvertible {
    package let module, file: String
    package let position: Position

    /// The place as the compiler writes it.
    package var description: String { "\(file):\(position)" }
  }

  /// A step of the path to the defect.
  package struct Note: Sendable {
    package let file: String
    package let position: Position
    package let text: String
  }

  package let severity: Severity
  package let kind: Kind
  package let location: Location
  /// The short form, which accepts the finding: `appThing keeps screenThing`.
  package let subject: String
  /// The subject as it is, and with the module of the provider, which tells providers of one name apart.
  package var subjects: [String] { [subject, "\(location.module).\(subject)"] }
  /// The full message, which begins with the provider's name.
  package let text: String
  package let notes: [Note]

  init(
    _ severity: Severity, _ kind: Kind, at provider: StaticProvider, subject: String, text: String,
    way: [StaticEdge] = []
  ) {
    self.severity = severity
    self.kind = kind
    location = Location(module: provider.definition.module, file: provider.file, position: provider.position)
    self.subject = subject
    self.text = text
    notes = way.flatMap(\.steps).map { Note(file: $0.file, position: $0.position, text: $0.text) }
  }

  /// The finding and its notes in the format of the compiler.
  package var description: String {
    let notes = notes.map { "\($0.file):\($0.position): note: \($0.text)" }
    return (["\(location): \(severity.rawValue): \(text) [\(kind.rawValue)]"] + notes).joined(separator: "\n")
  }
}
