/// The services for the handlers of one request.
public protocol RequestServices: Sendable {
  /// Signs up, in and out.
  var accounts: AccountService { get }
  /// The notes of the user who asks.
  var notes: NoteService { get }
}
