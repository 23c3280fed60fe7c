/// The roles of an occurrence or a relation, with the numbers of `indexstore_symbol_role_t`.
package struct Roles: OptionSet, Hashable, Sendable {
  package let rawValue: UInt64

  package init(rawValue: UInt64) {
    self.rawValue = rawValue
  }

  package static let definition = Self(rawValue: 1 << 1)
  package static let reference = Self(rawValue: 1 << 2)
  package static let call = Self(rawValue: 1 << 5)
  package static let implicit = Self(rawValue: 1 << 8)
  package static let childOf = Self(rawValue: 1 << 9)
  package static let baseOf = Self(rawValue: 1 << 10)
  package static let overrideOf = Self(rawValue: 1 << 11)
  package static let receivedBy = Self(rawValue: 1 << 12)
  package static let extendedBy = Self(rawValue: 1 << 14)
  package static let accessorOf = Self(rawValue: 1 << 15)
  package static let containedBy = Self(rawValue: 1 << 16)
}
