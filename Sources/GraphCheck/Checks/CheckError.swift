/// A reason why the graph cannot be checked, and the remedy.
package struct CheckError: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) {
    self.description = description
  }
}
