/// Some notes, and where the next ones begin.
struct NotePage: Encodable, Sendable {
  let notes: [Note]
  /// To be sent as `after`; `nil` if there are no more.
  let next: NoteCursor?
}
