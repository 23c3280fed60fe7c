import PeapodSystem

/// Accounts that last as long as the app runs, since the example has no server.
package actor MemoryAccountService: AccountService {
  private var accounts: [String: Account] = [:]
  private let uuid: UUIDSource
  private let date: DateSource

  package init(uuid: UUIDSource, date: DateSource) {
    self.uuid = uuid
    self.date = date
  }

  package func signUp(email: String, password: String, name: String) throws(SignUpError) -> Account {
    let key = email.lowercased()
    guard accounts[key] == nil else { throw .emailIsTaken }
    let account = Account(id: uuid(), email: email, name: name, createdAt: date.now)
    accounts[key] = account
    return account
  }
}
