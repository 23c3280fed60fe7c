import Testing

@testable import RepoReportCore

@Suite struct MailMapTests {
  private let ada = Author(name: "ada", email: "ada@home.example")

  @Test(
    "Each form of a line replaces what it says, and leaves the rest",
    arguments: [
      ("Ada Lovelace <ada@home.example>", "Ada Lovelace", "ada@home.example"),
      ("<ada@work.example> <ada@home.example>", "ada", "ada@work.example"),
      ("Ada Lovelace <ada@work.example> <ada@home.example>", "Ada Lovelace", "ada@work.example"),
      ("Ada Lovelace <ada@work.example> ada <ada@home.example>", "Ada Lovelace", "ada@work.example"),
      ("Ada Lovelace <ada@work.example> someone <ada@home.example>", "ada", "ada@home.example"),
      ("ADA <a@b> ADA <ADA@HOME.EXAMPLE>", "ADA", "a@b"),
      ("# Ada Lovelace <ada@home.example>", "ada", "ada@home.example"),
      ("nonsense", "ada", "ada@home.example"),
      ("", "ada", "ada@home.example"),
    ])
  func forms(line: String, name: String, email: String) {
    #expect(MailMap(parsing: line).author(ada) == Author(name: name, email: email))
  }

  @Test("A line for a name counts more than one for the address alone, and later lines more than earlier ones")
  func precedence() {
    let map = MailMap(
      parsing: """
        First <ada@home.example>\r
        Second <ada@home.example>\r
        Grace <grace@example.com> grace <ada@home.example>
        """)
    #expect(map.author(ada).name == "Second")
    let grace = Author(name: "Grace", email: "ada@home.example")
    #expect(map.author(grace) == Author(name: "Grace", email: "grace@example.com"))
  }
}
