/// The program that was built together with the tests.
enum BuiltProgram {
  /// SwiftPM puts the program beside the bundle of the tests, which is one of the arguments of this process.
  static let path: String = {
    let tests = CommandLine.arguments.first { $0.contains(".xctest") } ?? ""
    let folder = tests.split(separator: "/", omittingEmptySubsequences: false).prefix { !$0.hasSuffix(".xctest") }
    return folder.joined(separator: "/") + "/repo-report"
  }()
}
