/// Commands that try the server.
struct Invitation: CustomStringConvertible {
  let base: String

  var description: String {
    """
    notes-server listens at \(base). To try it, in another terminal:

      json='Content-Type: application/json'
      curl -H "$json" -d '{"name": "ada", "password": "correct horse"}' \(base)/users
      curl -H "$json" -d '{"name": "ada", "password": "correct horse"}' \(base)/sessions
      token=...  # what that printed
      curl -i -H "Authorization: Bearer $token" -H "$json" -d '{"title": "Tea", "text": "Buy Assam."}' \(base)/notes
      curl -H "Authorization: Bearer $token" '\(base)/notes?search=ass'
      curl \(base)/debug/graph

    Ctrl-C ends it.
    """
  }
}
