import Hummingbird

extension NoteQuery {
  /// Reads the query of a request: `?search=words&limit=20&after=…`.
  init(_ request: Request) throws(ServiceError) {
    self.init()
    var invalid: [InvalidField] = []
    for (name, value) in request.uri.queryParameters {
      switch name {
      case "search":
        search = String(value)
        if value.unicodeScalars.count > Self.longestSearch {
          invalid.append(InvalidField(field: "search", message: "must be \(Self.longestSearch) characters at most"))
        }
      case "limit":
        if let size = Int(value), Self.pageSizes.contains(size) {
          pageSize = size
        } else {
          invalid.append(
            InvalidField(field: "limit", message: "must be a number from 1 to \(Self.pageSizes.upperBound)"))
        }
      case "after":
        after = NoteCursor(value)
        if after == nil { invalid.append(InvalidField(field: "after", message: "must be what 'next' was")) }
      default:
        invalid.append(InvalidField(field: String(name), message: "is not known"))
      }
    }
    if !invalid.isEmpty { throw .invalid(invalid) }
  }
}
