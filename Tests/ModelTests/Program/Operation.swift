/// One step of a program: something that is done to the pod in one of the program's variables.
///
/// A step that names an empty variable is left out, so that every part of a program is a program.
struct Operation: Sendable {
  /// The variables of a program: two root pods, and what it makes below the first of them.
  static let roots = 0..<2
  static let children = 2..<5
  /// The variables that hold instances.
  static let hands = 3

  var pod: Int
  var action: Action
}
