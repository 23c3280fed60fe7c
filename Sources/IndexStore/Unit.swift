/// A compiled file.
package struct Unit: Sendable {
  package let module, file: String
  package let isSystem: Bool
  /// The names of the records with the file's occurrences.
  package let records: [String]
  /// The modules that the file depends on.
  package let imports: Set<String>
  /// The time at which the compiler wrote the unit, since 1970.
  package let time: Duration
}
