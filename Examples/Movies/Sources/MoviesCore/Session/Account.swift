import Foundation

/// Someone who has signed up.
package struct Account: Hashable, Sendable {
  package let id: UUID
  package let email: String
  package let name: String
  package let createdAt: Date

  package init(id: UUID, email: String, name: String, createdAt: Date) {
    self.id = id
    self.email = email
    self.name = name
    self.createdAt = createdAt
  }
}
