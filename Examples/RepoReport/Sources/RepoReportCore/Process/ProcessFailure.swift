/// A program ended with another status than zero.
struct ProcessFailure: Error, Equatable {
  var status: Int32
  /// What the program wrote to standard error.
  var message: String
}
