/// Accounts that last as long as the app runs, since the example has no server.
package actor MemoryAccountService: AccountService {
  private var accounts: [String: Account] = [:]

  package init() {}

  package func signUp(email: String, password: String, name: String) throws(SignUpError) -> Account {
    let key = email.lowercased()
    guard accounts[key] == nil else { throw .emailIsTaken }
    let account = Account(email: email, name: name)
    accounts[key] = account
    return account
  }
}
