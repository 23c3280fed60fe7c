/// The reason why the service refuses a request.
enum ServiceError: Error, Equatable {
  /// There is no such note, or it is somebody else's: nobody learns which.
  case noSuchNote
  /// The note has changed since the client read it.
  case changed(now: EntityTag)
  /// An update did not say which version it is meant for.
  case versionMissing
  /// Somebody has this name already.
  case nameTaken
  /// There is no such user, or the password is another: nobody learns which.
  case wrongCredentials
  /// There is no token, or it is not or no longer valid.
  case signedOut
  /// Something in the request cannot be accepted.
  case invalid([InvalidField])
  /// Too many requests from one address.
  case tooMany(retryAfterSeconds: Int)
  /// Too much to do at the moment.
  case busy
}
