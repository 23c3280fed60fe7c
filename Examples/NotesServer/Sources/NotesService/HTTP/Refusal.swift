import GRDB
import HTTPTypes
import Hummingbird

/// The answer to a request that failed: a problem, and the headers that belong to it.
struct Refusal {
  var problem: Problem
  var headers: HTTPFields = [:]
  /// Whether the fault is the server's, so that somebody should look into the log.
  var isFault = false

  private init(
    _ status: HTTPResponse.Status, _ detail: String?, errors: [InvalidField]? = nil, headers: HTTPFields = [:],
    isFault: Bool = false
  ) {
    problem = Problem(status, detail, errors: errors)
    self.headers = headers
    self.isFault = isFault
  }
}

extension Refusal {
  /// Makes the answer to a request that failed.
  init(_ error: any Error) {
    switch error {
    case let error as ServiceError:
      self.init(error)
    case let error as DatabaseError where error.isTransient:
      self.init(
        .serviceUnavailable, "The database cannot be used at the moment. Nothing was changed.",
        headers: [.retryAfter: "1"], isFault: true)
    case let error as HTTPError:
      self.init(error.status, error.body ?? Self.detail(of: error.status), headers: error.headers)
    case let error as any HTTPResponseError:
      self.init(error.status, Self.detail(of: error.status))
    case is CancellationError:
      self.init(.serviceUnavailable, "The request was cancelled. Nothing was changed.")
    default:
      self.init(
        .internalServerError, "Something went wrong here; the log of the server has more about it.", isFault: true)
    }
  }

  private init(_ error: ServiceError) {
    switch error {
    case .noSuchNote:
      self.init(.notFound, "There is no such note.")
    case .changed(let now):
      self.init(
        .preconditionFailed, "The note has changed since; its version is now \(now).",
        headers: [.eTag: now.description])
    case .versionMissing:
      self.init(.preconditionRequired, "Send the note's ETag as If-Match, so that no other update is lost.")
    case .nameTaken:
      self.init(.conflict, "The name is taken.")
    case .wrongCredentials:
      self.init(.unauthorized, "Name or password is wrong.", headers: [.wwwAuthenticate: "Bearer"])
    case .signedOut:
      self.init(
        .unauthorized, "Send a valid token: Authorization: Bearer <token>.", headers: [.wwwAuthenticate: "Bearer"])
    case .invalid(let errors):
      self.init(.unprocessableContent, "Some fields cannot be accepted.", errors: errors)
    case .tooMany(let seconds):
      self.init(
        .tooManyRequests, "Too many requests; try again in \(seconds) s.", headers: [.retryAfter: "\(seconds)"])
    case .busy:
      self.init(
        .serviceUnavailable, "Too many people are signing in; try again in a second.", headers: [.retryAfter: "1"])
    }
  }

  private static func detail(of status: HTTPResponse.Status) -> String? {
    switch status {
    case .notFound: "There is nothing at this address, or not with this method."
    case .contentTooLarge: "The body is larger than 65536 bytes."
    default: nil
    }
  }
}

extension DatabaseError {
  /// Whether the cause is outside: no room, no permission, a file in use.
  fileprivate var isTransient: Bool {
    [.SQLITE_FULL, .SQLITE_READONLY, .SQLITE_IOERR, .SQLITE_BUSY, .SQLITE_CANTOPEN].contains(resultCode)
  }
}
