/// What the command line asks for.
struct Options {
  /// Whether a row over its limit makes the command fail.
  var checks = false
  /// Whether the rows are printed as a Markdown table.
  var printsMarkdown = false
  /// Whether to measure for a shorter time.
  var isQuick = false
  /// The text that the section or the name of a row has to contain.
  var filter = ""
  /// Set to run each row's operation this often and measure nothing, for a profiler.
  var iterations: Int?

  static let usage = """
    usage: peapod-benchmarks [--check] [--markdown] [--quick] [--filter TEXT] [--iterations N]
      --check         exit with 1 if a row is over its limit, after up to three more attempts
      --markdown      print a Markdown table
      --quick         fewer and shorter rounds
      --filter TEXT   only rows whose section or name contains TEXT
      --iterations N  run the operation of each row N times, measuring nothing, for a profiler
    """

  /// Reads the arguments after the name of the command.
  init(_ arguments: some Sequence<String>) throws(Mistake) {
    var rest = Array(arguments)[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "--check": checks = true
      case "--markdown": printsMarkdown = true
      case "--quick": isQuick = true
      case "--filter":
        guard let text = rest.popFirst() else { throw Mistake(message: "--filter needs a text") }
        filter = text
      case "--iterations":
        guard let count = rest.popFirst().flatMap({ Int($0) }), count > 0 else {
          throw Mistake(message: "--iterations needs a positive number")
        }
        iterations = count
      default: throw Mistake(message: "unknown option \(argument)")
      }
    }
  }

  /// A command line that cannot be understood.
  struct Mistake: Error {
    var message: String
  }
}
