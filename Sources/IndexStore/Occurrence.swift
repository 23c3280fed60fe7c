/// A place at which a name occurs.
package struct Occurrence: Sendable {
  /// Another declaration that the occurrence belongs to.
  package struct Relation: Sendable {
    package let symbol: Symbol
    package let roles: Roles
  }

  package let symbol: Symbol
  package let roles: Roles
  package let position: Position
  package let relations: [Relation]
}
