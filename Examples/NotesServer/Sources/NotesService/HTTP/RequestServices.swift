/// What the handlers of one request may ask for.
public protocol RequestServices: Sendable {
  /// Signs up, in and out.
  var accounts: AccountService { get }
  /// The notes of the user who asks.
  var notes: NoteService { get }
}
