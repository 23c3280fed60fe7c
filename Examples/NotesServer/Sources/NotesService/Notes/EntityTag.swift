/// Names one version of a note in the headers `ETag`, `If-Match` and `If-None-Match` (RFC 9110).
struct EntityTag: Hashable, Sendable, CustomStringConvertible {
  let version: Int

  var description: String { "\"\(version)\"" }
}
