/// Someone who has signed up.
package struct Account: Hashable, Sendable {
  package let email: String
  package let name: String

  package init(email: String, name: String) {
    self.email = email
    self.name = name
  }
}
