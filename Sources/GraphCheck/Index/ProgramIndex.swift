import IndexStore

/// The declarations of a program, and the references by the declaration that contains them.
final class ProgramIndex {
  /// The place at which something is declared.
  struct Definition {
    let symbol: Symbol
    let unit: Unit
    let position: Position
    let isImplicit: Bool
    let parent: String?

    var file: String { unit.file }
    var module: String { unit.module }
  }

  /// A place at which a declaration names another.
  struct Reference {
    let symbol: Symbol
    let roles: Roles
    let position: Position
    let unit: Unit
    /// The declaration whose body, initializer or signature contains the reference, or `nil` at the top level of a
    /// script.
    let container: String?
    /// Whether the reference calls a requirement of a protocol.
    let isThroughProtocol: Bool

    var file: String { unit.file }
  }

  private(set) var definitions: [String: Definition] = [:]
  private(set) var references: [String?: [Reference]] = [:]
  /// The declarations inside a declaration.
  private(set) var members: [String: [String]] = [:]
  /// The accessors of a variable, and the variable of an accessor.
  private(set) var accessors: [String: [String]] = [:]
  private(set) var accessedVariables: [String: String] = [:]
  /// The overrides and implementations of a declaration.
  private(set) var implementations: [String: [String]] = [:]
  /// The types that conform to a protocol.
  private(set) var conformances: [String: Set<String>] = [:]
  /// The classes that a class inherits from.
  private(set) var superclasses: [String: [String]] = [:]
  /// The type that each extension extends.
  private var extendedTypes: [String: String] = [:]
  private var referencesByPlace: [Place: [Reference]] = [:]
  let units: [Unit]

  private struct Place: Hashable {
    let file: String
    let position: Position
  }

  /// Creates an index of units, without their occurrences.
  init(units: [Unit]) {
    self.units = units
  }

  /// The references at the place of a token.
  func references(in file: String, at position: Position) -> [Reference] {
    referencesByPlace[Place(file: file, position: position)] ?? []
  }

  /// The references in the initializer, body and accessors of a declaration.
  func references(of usr: String) -> [Reference] {
    let own = references[usr] ?? []
    guard let accessors = accessors[usr] else { return own }
    return own + accessors.flatMap { references[$0] ?? [] }
  }

  /// The type that a symbol stands for: the extended type of an extension, or the symbol itself.
  private func type(_ usr: String) -> String { extendedTypes[usr] ?? usr }

  /// Adds an occurrence.
  ///
  /// The occurrences of a file are added in order of position.
  func add(_ occurrence: Occurrence, _ unit: Unit) {
    let symbol = occurrence.symbol
    if occurrence.roles.contains(.definition) {
      guard definitions[symbol.usr] == nil else { return }
      definitions[symbol.usr] = Definition(
        symbol: symbol, unit: unit, position: occurrence.position, isImplicit: occurrence.roles.contains(.implicit),
        parent: occurrence.relations.first { $0.roles.contains(.childOf) }.map { type($0.symbol.usr) })
      for relation in occurrence.relations {
        let (other, roles) = (relation.symbol.usr, relation.roles)
        if roles.contains(.accessorOf) {
          accessors[other, default: []].append(symbol.usr)
          accessedVariables[symbol.usr] = other
        }
        if roles.contains(.childOf) { members[type(other), default: []].append(symbol.usr) }
        if roles.contains(.overrideOf) { implementations[other, default: []].append(symbol.usr) }
      }
    } else if occurrence.roles.contains(.reference) {
      for relation in occurrence.relations where relation.roles.contains(.extendedBy) {
        // This occurrence comes before every occurrence in the extension.
        extendedTypes[relation.symbol.usr] = symbol.usr
      }
      for relation in occurrence.relations where relation.roles.contains(.baseOf) {
        conformances[symbol.usr, default: []].insert(type(relation.symbol.usr))
        if symbol.kind == .class { superclasses[relation.symbol.usr, default: []].append(symbol.usr) }
      }
      let container = occurrence.relations.first { $0.roles.contains(.containedBy) }?.symbol.usr
      let place = Place(file: unit.file, position: occurrence.position)
      // Several stores contain the references of a file that they share.
      let isKnown = referencesByPlace[place, default: []].contains {
        ($0.symbol, $0.roles, $0.container) == (symbol, occurrence.roles, container)
      }
      guard !isKnown else { return }
      let reference = Reference(
        symbol: symbol, roles: occurrence.roles, position: occurrence.position, unit: unit, container: container,
        isThroughProtocol: occurrence.relations.contains {
          $0.roles.contains(.receivedBy) && $0.symbol.kind == .protocol
        })
      references[container, default: []].append(reference)
      referencesByPlace[place, default: []].append(reference)
    }
  }
}

#if os(macOS) || os(Linux)
  extension ProgramIndex {
    /// Creates an index of units and their occurrences in stores.
    convenience init(_ units: [(unit: Unit, store: Store)]) throws(IndexError) {
      self.init(units: units.map(\.unit))
      for (unit, store) in units {
        for record in unit.records {
          for occurrence in try store.occurrences(record: record) { add(occurrence, unit) }
        }
      }
    }
  }
#endif
