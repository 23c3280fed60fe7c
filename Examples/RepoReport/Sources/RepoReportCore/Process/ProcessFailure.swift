/// A program ended with another status than zero.
struct ProcessFailure: Error, Equatable {
  var status: Int32
  /// The program's output on standard error.
  var message: String
}
