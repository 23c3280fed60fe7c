/// A reason why an index store cannot be read.
package struct IndexError: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) {
    self.description = description
  }
}
