/// A place in a file.
///
/// The column counts bytes from 1.
package struct Position: Comparable, Hashable, Sendable, CustomStringConvertible {
  package var line, column: Int

  package init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  package static func < (left: Self, right: Self) -> Bool { (left.line, left.column) < (right.line, right.column) }

  package var description: String { "\(line):\(column)" }
}
